import { Copy, Link2, Unlink } from 'lucide-react'
import { useState } from 'react'
import { addDays } from '#domain/day.ts'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import type { PlacedProps } from '#kit/web/screens/places.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { createFileShare, listFileShares, takeBackFileShare, type FileShare } from '../endpoints.ts'
import './shares.css'

const usualDays = 30
const refresh = () => queryClient.invalidateQueries({ queryKey: [listFileShares.name] })

/** The links of a file: those that were given, each with its way back, and a new one until a day. */
export function Part({ of: id, refresh: onClose }: PlacedProps) {
  const t = useWords()
  const today = useToday()
  const copy = useCopy()
  const { data, error: failed } = useCall(listFileShares, { fileId: id }, { staleTime: 0 })
  const [expiresOn, setExpiresOn] = useState<string | null>(addDays(today, usualDays))
  return (
    <FormDialog
      title={t('fileShares.share')}
      verb={t('fileShares.make')}
      icon={Link2}
      names={['expiresOn']}
      onClose={onClose}
      onSubmit={async () => {
        const made = await call(createFileShare, { id, expiresOn: expiresOn ?? '' })
        copy(made.url)
        await refresh()
      }}
    >
      {(error) => (
        <>
          <p className="hint">{t('fileShares.text')}</p>
          <DayField
            label={t('fileShares.fields.expiresOn')}
            name="expiresOn"
            value={expiresOn}
            onChange={setExpiresOn}
            {...error('expiresOn', expiresOn)}
          />
          {failed && !data && <Note tone="late">{failureText(t, failed)}</Note>}
          {!data && !failed && <Skeleton lines={2} />}
          {data && data.rows.length > 0 && (
            <ul className="fs-links" aria-label={t('fileShares.links')}>
              {data.rows.map((one) => (
                <Given key={one.id} of={one} onCopy={() => copy(one.url)} />
              ))}
            </ul>
          )}
        </>
      )}
    </FormDialog>
  )
}

function Given({ of: one, onCopy }: { of: FileShare; onCopy: () => void }) {
  const t = useWords()
  const [problem, setProblem] = useState<string>()
  const end = () =>
    void call(takeBackFileShare, { id: one.id })
      .then(refresh)
      .catch((e: unknown) => setProblem(failureText(t, e)))
  const isOpen = one.state === 'open'
  return (
    <li data-off={isOpen ? undefined : ''}>
      <div className="grow">
        {isOpen ? (
          <bdi dir="ltr" className="fs-url">
            {one.url}
          </bdi>
        ) : (
          <StatusPill tone="plain">{t(`fileShares.state.${one.state}`)}</StatusPill>
        )}
        <p className="hint text-13">
          {t('fileShares.fields.expiresOn')} <Num>{formatDay(one.expiresOn)}</Num> · <bdi>{one.by}</bdi> ·{' '}
          {one.opened > 0 ? t('fileShares.opened', { count: one.opened }) : t('fileShares.notOpened')}
          {one.lastOpenedAt && (
            <>
              {' · '}
              <Num>{formatMoment(new Date(one.lastOpenedAt))}</Num>
            </>
          )}
        </p>
        {problem && <Note tone="late">{problem}</Note>}
      </div>
      {isOpen && (
        <>
          <Button kind="quiet" icon={Copy} label={t('fileShares.copy')} onPress={onCopy} />
          <Button kind="quiet" icon={Unlink} label={t('fileShares.takeBack')} onPress={end} />
        </>
      )}
    </li>
  )
}
