import { FileUp, RefreshCw, Trash2 } from 'lucide-react'
import { useRef, useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, queryClient, useCall } from '#kit/web/calls/call.ts'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import {
  addOutside,
  addOutsideFile,
  dropOutside,
  listOutside,
  refreshOutside,
  type OutsideCalendar,
} from '../endpoints.ts'
import { refreshClasses } from './shared.ts'
import './timetable.css'

/**
 * A person's calendars elsewhere: hours that are busy there are not free here. Without a trainer or a place, one's
 * own.
 */
export function OutsideDialog({
  name,
  onClose,
  ...whose
}: {
  name?: string
  trainerId?: string
  placeId?: string
  onClose: () => void
}) {
  const t = useWords()
  const { data, error: failed, refetch } = useCall(listOutside, whose)
  const picker = useRef<HTMLInputElement>(null)
  const [url, setUrl] = useState('')
  const [title, setTitle] = useState('')
  const [busy, setBusy] = useState('')
  // Each address is a separate form: after one was read the next can be typed in.
  const [round, setRound] = useState(0)
  const [trouble, setTrouble] = useState('')
  const refresh = () =>
    Promise.all([queryClient.invalidateQueries({ queryKey: ['outsideCalendars.list'] }), refreshClasses()])
  const run = async (what: string, deed: () => Promise<unknown>) => {
    setBusy(what)
    setTrouble('')
    try {
      await deed()
      await refresh()
    } catch (e) {
      setTrouble(failureText(t, e))
    }
    setBusy('')
  }
  return (
    <FormDialog
      key={round}
      title={name ? t('timetable.outside.of', { name }) : t('timetable.outside.title')}
      verb={t('timetable.outside.add')}
      isDisabled={!url.trim()}
      names={['url', 'name']}
      onClose={onClose}
      onSubmit={async () => {
        await call(addOutside, {
          trainerId: whose.trainerId ?? null,
          placeId: whose.placeId ?? null,
          name: title,
          url,
        })
        await refresh()
        setUrl('')
        setTitle('')
        setRound((n) => n + 1)
      }}
    >
      {(error) => (
        <>
          <p>{t('timetable.outside.text')}</p>
          {failed && !data ? (
            <Failed error={failed} onRetry={refetch} />
          ) : !data ? (
            <Skeleton lines={2} />
          ) : (
            data.rows.length > 0 && (
              <ul className="tt-outside">
                {data.rows.map((row) => (
                  <li key={row.id}>
                    <div>
                      <b dir="auto">{row.name}</b> {row.host && <small dir="ltr">{row.host}</small>}
                      <Told row={row} />
                    </div>
                    {row.way === 'address' && (
                      <Button
                        kind="quiet"
                        size="s"
                        icon={RefreshCw}
                        label={t('timetable.outside.refresh')}
                        busy={busy === row.id}
                        onPress={() => void run(row.id, () => call(refreshOutside, { id: row.id }))}
                      />
                    )}
                    <Button
                      kind="quiet"
                      size="s"
                      icon={Trash2}
                      label={t('timetable.outside.drop', { name: row.name })}
                      busy={busy === `${row.id}-`}
                      onPress={() => void run(`${row.id}-`, () => call(dropOutside, { id: row.id }))}
                    />
                  </li>
                ))}
              </ul>
            )
          )}
          {trouble && <Note tone="late">{trouble}</Note>}
          <TextField
            label={t('timetable.outside.url')}
            hint={t('timetable.outside.urlHint')}
            ltr
            value={url}
            onChange={setUrl}
            max={2000}
            {...error('url', url)}
          />
          <TextField
            label={t('timetable.outside.name')}
            optional
            value={title}
            onChange={setTitle}
            max={80}
            {...error('name', title)}
          />
          <div>
            <input
              ref={picker}
              type="file"
              accept=".ics,text/calendar"
              hidden
              aria-label={t('timetable.outside.file')}
              onChange={(event) => {
                const file = event.target.files?.[0]
                event.target.value = ''
                if (file)
                  void run('file', () =>
                    call(addOutsideFile, { ...whose, name: file.name.slice(0, 80), bytes: file }),
                  )
              }}
            />
            <Button icon={FileUp} busy={busy === 'file'} onPress={() => picker.current?.click()}>
              {t('timetable.outside.file')}
            </Button>
            <p className="hint">{t('timetable.outside.fileHint')}</p>
          </div>
        </>
      )}
    </FormDialog>
  )
}

/** The state of a calendar: what was read and when, or what went wrong. */
function Told({ row }: { row: OutsideCalendar }) {
  const t = useWords()
  return (
    <div className="tt-told">
      {row.state === 'failed' ? (
        <>
          <StatusPill tone="late">{t('timetable.outside.state.failed')}</StatusPill>{' '}
          {t(`timetable.outside.problem.${row.problem ?? 'connection'}`)}{' '}
          {row.readAt &&
            t('timetable.outside.asOf', { at: formatMoment(new Date(row.readAt)), count: row.spans })}
        </>
      ) : row.state === 'new' || !row.readAt ? (
        <StatusPill tone="wait">{t('timetable.outside.state.new')}</StatusPill>
      ) : (
        <>
          {t('timetable.outside.asOf', { at: formatMoment(new Date(row.readAt)), count: row.spans })}{' '}
          {row.way === 'file' &&
            row.untilDay &&
            t('timetable.outside.until', { day: formatDay(row.untilDay) })}{' '}
          {row.skipped > 0 && t('timetable.outside.skipped', { count: row.skipped })}
        </>
      )}
    </div>
  )
}
