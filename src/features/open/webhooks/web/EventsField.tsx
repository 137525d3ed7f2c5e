import { useState } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { listEvents, type EventRow } from '../endpoints.ts'

/**
 * Which events: each with what it is for and what is sent; a whole thing or everything takes in what will be
 * added later.
 */
export function EventsField({
  value,
  onChange,
  payload,
  error,
}: {
  value: readonly string[]
  onChange: (events: string[]) => void
  payload: 'thin' | 'full'
  error: string | undefined
}) {
  const t = useWords()
  const { data } = useCall(listEvents, {}, { staleTime: Infinity })
  if (!data) return <Skeleton lines={6} />
  const things = [...new Set(data.rows.map(({ thing }) => thing))]
  const all = value.includes('*')
  /** Whatever a wider choice takes in is not named beside it. */
  const set = (name: string, on: boolean) => {
    const within = (one: string) => name === '*' || (name.endsWith('.*') && one.startsWith(name.slice(0, -1)))
    onChange(on ? [...value.filter((one) => !within(one)), name] : value.filter((one) => one !== name))
  }
  return (
    <fieldset className="wh-events" aria-describedby={error ? 'wh-events-error' : undefined}>
      <legend>{t('webhooks.fields.events')}</legend>
      {error && (
        <p className="k-field-error" id="wh-events-error" role="alert">
          {error}
        </p>
      )}
      <FlagField
        label={t('webhooks.everything')}
        hint={t('webhooks.everythingHint')}
        value={all}
        onChange={(on) => set('*', on)}
      />
      {things.map((thing) => {
        const whole = value.includes(`${thing}.*`)
        return (
          <section key={thing} aria-label={t(`webhooks.things.${thing}`)}>
            <FlagField
              label={t(`webhooks.things.${thing}`)}
              value={all || whole}
              disabled={all}
              onChange={(on) => set(`${thing}.*`, on)}
            />
            {data.rows
              .filter((row) => row.thing === thing)
              .map((row) => (
                <OneEvent
                  key={row.name}
                  of={row}
                  payload={payload}
                  value={all || whole || value.includes(row.name)}
                  isFixed={all || whole}
                  onChange={(on) => set(row.name, on)}
                />
              ))}
          </section>
        )
      })}
    </fieldset>
  )
}

interface OneEventProps {
  of: EventRow
  payload: 'thin' | 'full'
  value: boolean
  isFixed: boolean
  onChange: (on: boolean) => void
}

function OneEvent({ of: row, payload, value, isFixed, onChange }: OneEventProps) {
  const t = useWords()
  const [shown, setShown] = useState(false)
  return (
    <div className="wh-event">
      <FlagField
        label={t(`webhooks.events.${row.name}`)}
        hint={<code dir="ltr">{row.name}</code>}
        value={value}
        disabled={isFixed}
        onChange={onChange}
      />
      <Button
        kind="quiet"
        size="s"
        expanded={shown}
        label={`${t('webhooks.example')}: ${row.name}`}
        onPress={() => setShown(!shown)}
      >
        {t('webhooks.example')}
      </Button>
      {shown && <Code label={row.name} text={JSON.stringify(row[payload], null, 2)} />}
    </div>
  )
}

/** What travels: read left to right, broken where it must be. */
export function Code({ text, label }: { text: string; label: string }) {
  return (
    // A region that scrolls must be reachable by the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="wh-code" dir="ltr" tabIndex={0} aria-label={label}>
      {text}
    </pre>
  )
}
