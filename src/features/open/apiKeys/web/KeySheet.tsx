import { useId, useState } from 'react'
import { documentTypes } from '#domain/documents/kinds.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { canDocument } from '#kit/describe/session.ts'
import { call } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { mayDo, useSession } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { makeKey } from '../endpoints.ts'
import { rulesForKeys } from '../rules.ts'
import { CopyButton } from './CopyButton.tsx'
import { TradeSettings } from './TradeSettings.tsx'

type May = 'read' | 'drafts' | 'all'
type Made = OutputOf<typeof makeKey>

/** Makes a key; then shows it, this once. */
export function KeySheet({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const session = useSession()
  const form = useId()
  const [name, setName] = useState('')
  const [may, setMay] = useState<May>('read')
  const [chosen, setChosen] = useState<{ rules: number[]; docs: number[] }>({ rules: [], docs: [] })
  const [limits, setLimits] = useState({ areas: false, types: false })
  const [sum, setSum] = useState<number | null>(null)
  const [expiresOn, setExpiresOn] = useState<string | null>(null)
  const [made, setMade] = useState<Made>()
  const rules = rulesForKeys().filter((rule) => mayDo(session, rule.name))
  const types = Object.entries(documentTypes).filter(([, { id }]) => canDocument(session, id))
  // Chosen to limit and nothing ticked would mean everything: that is asked, not guessed.
  const nothing = (limits.areas && !chosen.rules.length) || (limits.types && !chosen.docs.length)
  const { busy, rest, error, run, place } = useAction(
    ['name', 'rules', 'docsAllow', 'sumLimitAgorot', 'expiresOn'],
    async () => {
      const key = await call(makeKey, {
        name,
        readOnly: may === 'read',
        draftsOnly: may === 'drafts',
        rules: limits.areas ? chosen.rules : [],
        docsAllow: limits.types ? chosen.docs : [],
        sumLimitAgorot: may === 'all' ? sum : null,
        expiresOn,
      })
      setMade(key)
    },
  )
  const refusal = rest ?? error('rules', chosen.rules).error ?? error('docsAllow', chosen.docs).error
  const toggle = (list: 'rules' | 'docs', number: number, on: boolean) =>
    setChosen({
      ...chosen,
      [list]: on ? [...chosen[list], number] : chosen[list].filter((one) => one !== number),
    })
  if (made)
    return (
      <SideSheet
        isOpen
        onClose={onClose}
        title={t('apiKeys.made')}
        actions={
          <Button kind="primary" onPress={onClose}>
            {t('apiKeys.kept')}
          </Button>
        }
      >
        <Secret of={made} />
      </SideSheet>
    )
  return (
    <SideSheet
      isOpen
      dirty={name !== '' || chosen.rules.length > 0 || chosen.docs.length > 0}
      onClose={onClose}
      title={t('apiKeys.make')}
      actions={
        <Button
          kind="primary"
          type="submit"
          form={form}
          busy={busy}
          {...(nothing ? { blocked: t('apiKeys.nothing') } : {})}
        >
          {t('apiKeys.create')}
        </Button>
      }
    >
      <form id={form} className="ak-form" noValidate ref={place} onSubmit={run}>
        <TextField
          label={t('apiKeys.fields.name')}
          hint={t('apiKeys.hints.name')}
          value={name}
          onChange={setName}
          max={80}
          autoFocus
          {...error('name', name)}
        />
        <ChoiceField<May>
          label={t('apiKeys.fields.may')}
          value={may}
          onChange={(next) => next && setMay(next)}
          choices={(['read', 'drafts', 'all'] as const).map((value) => ({
            value,
            label: t(`apiKeys.may.${value}`),
          }))}
          hint={t(`apiKeys.may.${may}Hint`)}
        />
        {may === 'all' && (
          <MoneyField
            label={t('apiKeys.fields.sumLimitAgorot')}
            hint={t('apiKeys.hints.sumLimitAgorot')}
            optional
            value={sum}
            onChange={setSum}
            {...error('sumLimitAgorot', sum)}
          />
        )}
        <DayField
          label={t('apiKeys.fields.expiresOn')}
          hint={t('apiKeys.hints.expiresOn')}
          optional
          value={expiresOn}
          onChange={setExpiresOn}
          {...error('expiresOn', expiresOn)}
        />
        <section className="ak-list" aria-label={t('apiKeys.limitAreas')}>
          <FlagField
            label={t('apiKeys.limitAreas')}
            value={limits.areas}
            onChange={(areas) => setLimits({ ...limits, areas })}
          />
          {limits.areas &&
            rules.map(({ name: rule, number }) => (
              <FlagField
                key={number}
                label={t(`team.rules.${rule}`)}
                value={chosen.rules.includes(number)}
                onChange={(on) => toggle('rules', number, on)}
              />
            ))}
        </section>
        <section className="ak-list" aria-label={t('apiKeys.limitTypes')}>
          <FlagField
            label={t('apiKeys.limitTypes')}
            value={limits.types}
            onChange={(on) => setLimits({ ...limits, types: on })}
          />
          {limits.types &&
            types.map(([type, { id }]) => (
              <FlagField
                key={id}
                label={t(`documents.types.${type}`)}
                value={chosen.docs.includes(id)}
                onChange={(on) => toggle('docs', id, on)}
              />
            ))}
        </section>
        {nothing && <Note tone="wait">{t('apiKeys.nothing')}</Note>}
        {refusal && <Note tone="late">{refusal}</Note>}
      </form>
    </SideSheet>
  )
}

function Secret({ of: { key, secret } }: { of: Made }) {
  const t = useWords()
  return (
    <div className="ak-form">
      <Note tone="wait">{t('apiKeys.once')}</Note>
      <div className="ak-secret">
        <h3>{t('apiKeys.fields.secret')}</h3>
        <code dir="ltr" data-secret>
          {secret}
        </code>
        <CopyButton text={secret} verb={t('apiKeys.copy')} />
      </div>
      <div className="ak-secret">
        <h3>{t('apiKeys.fields.id')}</h3>
        <code dir="ltr">{key.id}</code>
        <CopyButton text={key.id} verb={t('apiKeys.copyId')} />
      </div>
      <p className="sub">{t('apiKeys.how')}</p>
      <pre
        className="ak-sample"
        dir="ltr"
      >{`curl ${location.origin}/api4/invoice/customers \\\n  -H "x-access-token: ${secret.slice(0, 12)}…"`}</pre>
      <TradeSettings of={key} />
    </div>
  )
}
