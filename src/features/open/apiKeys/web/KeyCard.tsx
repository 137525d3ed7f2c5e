import { Ban } from 'lucide-react'
import type { ReactNode } from 'react'
import { documentTypes } from '#domain/documents/kinds.ts'
import { formatMoment } from '#domain/format.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { ApiKey } from '../endpoints.ts'
import { rulesForKeys } from '../rules.ts'
import { CopyButton } from './CopyButton.tsx'
import { expiryOf, mayText, stateOf } from './says.ts'
import { TradeSettings } from './TradeSettings.tsx'

/** One key with everything it may, in full, and how programs of another product use it; ended here. */
export function KeyCard({ of: key, onEnd, onClose }: { of: ApiKey; onEnd: () => void; onClose: () => void }) {
  const t = useWords()
  const state = stateOf(key)
  const areas = rulesForKeys().filter(({ number }) => key.rules.includes(number))
  const types = Object.entries(documentTypes).filter(([, { id }]) => key.docsAllow.includes(id))
  const all = t('apiKeys.allOfThem')
  const facts: Record<string, ReactNode> = {
    state: <StatusPill tone={state === 'live' ? 'done' : 'plain'}>{t(`apiKeys.state.${state}`)}</StatusPill>,
    prefix: <Num>{key.prefix}…</Num>,
    id: (
      <span className="ak-id">
        <Num>{key.id}</Num>
        <CopyButton size="s" text={key.id} verb={t('apiKeys.copyId')} />
      </span>
    ),
    may: mayText(t, key),
    ...(key.sumLimitAgorot === null ? {} : { sumLimitAgorot: <Money amount={key.sumLimitAgorot} /> }),
    areas: areas.map(({ name }) => t(`team.rules.${name}`)).join(', ') || all,
    types: types.map(([type]) => t(`documents.types.${type}`)).join(', ') || all,
    expiresOn: expiryOf(key) ?? '–',
    usedAt: key.usedAt ? (
      <>
        <Num>{formatMoment(new Date(key.usedAt))}</Num>{' '}
        <span className="hint">
          <Num>{key.usedFrom}</Num>
        </span>
      </>
    ) : (
      t('apiKeys.never')
    ),
    by: <bdi>{key.by}</bdi>,
    createdAt: <Num>{formatMoment(new Date(key.createdAt))}</Num>,
  }
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={key.name}
      {...(state === 'live'
        ? {
            actions: (
              <Button kind="danger" icon={Ban} onPress={onEnd}>
                {t('apiKeys.revoke')}
              </Button>
            ),
          }
        : {})}
    >
      <div className="ak-form">
        <dl className="ak-facts">
          {Object.entries(facts).map(([word, value]) => (
            <div key={word}>
              <dt>{t(`apiKeys.fields.${word}`)}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
        {state === 'live' && <TradeSettings of={key} />}
      </div>
    </SideSheet>
  )
}
