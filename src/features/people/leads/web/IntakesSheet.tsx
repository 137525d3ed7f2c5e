import { Check, Inbox, X } from 'lucide-react'
import { useState } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { decideIntake, listIntakes } from '../endpoints.ts'
import { refreshLeads } from './shared.ts'
import './leads.css'

/**
 * Suspicious submissions: a person decides whether they are leads. What was dropped automatically can be restored
 * too.
 */
export function IntakesSheet({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [state, setState] = useState<'toCheck' | 'dropped'>('toCheck')
  const { data, error } = useCall(listIntakes, { state })
  const decide = (id: string, take: boolean) =>
    void call(decideIntake, { id, take })
      .then(refreshLeads)
      .catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <SideSheet isOpen onClose={onClose} title={t('leads.intakes.title')}>
      <Views
        label={t('leads.intakes.title')}
        value={state}
        onChange={setState}
        views={(['toCheck', 'dropped'] as const).map((key) => ({ key, label: t(`leads.intakes.${key}`) }))}
      />
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={5} />}
      {data?.rows.length === 0 && (
        <EmptyState icon={Inbox} title={t('leads.intakes.none')}>
          {t('leads.intakes.noneText')}
        </EmptyState>
      )}
      <ul className="ld-intakes">
        {data?.rows.map((one) => (
          <li key={one.id}>
            <p>
              <b>
                <bdi>{one.name}</bdi>
              </b>{' '}
              <Num>{one.phone || one.email}</Num>{' '}
              <span className="hint text-13">
                <bdi>{one.source}</bdi> · <Num>{formatMoment(new Date(one.at))}</Num>
              </span>
            </p>
            {one.message && <p className="ld-notes">{one.message}</p>}
            <p className="flex flex-wrap gap-1">
              {one.doubts.map((doubt) => (
                <StatusPill key={doubt} tone="wait">
                  {t(`leads.doubts.${doubt}`)}
                </StatusPill>
              ))}
            </p>
            <p className="flex gap-2">
              <Button size="s" kind="soft" icon={Check} onPress={() => decide(one.id, true)}>
                {t('leads.intakes.take')}
              </Button>
              {state === 'toCheck' && (
                <Button size="s" kind="quiet" icon={X} onPress={() => decide(one.id, false)}>
                  {t('leads.intakes.drop')}
                </Button>
              )}
            </p>
          </li>
        ))}
      </ul>
    </SideSheet>
  )
}
