import { Landmark } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { addDays, type Day } from '#domain/day.ts'
import { shifted } from '#domain/bankDays.ts'
import { formatDay } from '#domain/format.ts'
import { failureText, fieldErrors, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable, type DataTableProps } from '#kit/web/parts/DataTable.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { SelectionBar } from '#kit/web/parts/SelectionBar.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { go } from '#kit/web/routes/place.ts'
import { useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { Together } from '#kit/web/parts/Together.tsx'
import { masavSettings } from '../endpoints.ts'
import { NoSettings } from './shared.tsx'
import './masav.css'

/** Up to which day what is due is shown, and on which day the file moves the money. */
export function useRunDays(untilDays: number) {
  const today = useToday()
  const [until, setUntil] = useState<Day | null>(addDays(today, untilDays))
  const [payDay, setPayDay] = useState<Day | null>(shifted(today, 'next'))
  return { today, until, setUntil, payDay, setPayDay }
}

interface NewRunProps<R> extends Pick<
  DataTableProps<R>,
  'columns' | 'rowName' | 'rowHref' | 'onOpen' | 'menu'
> {
  title: string
  sub: string
  /** The files that were made before. */
  files: { label: string; href: string }
  days: ReturnType<typeof useRunDays>
  dayLabel: string
  /** More of the form over the table. */
  fields?: ReactNode
  notes?: ReactNode
  rows: readonly R[]
  loading: boolean
  error: unknown
  rowKey: (row: R) => string
  /** The person who cannot be in a file is shown and cannot be chosen. */
  isAble: (row: R) => boolean
  none: { title: string; text: string }
  sums: readonly { label: string; of: (row: R) => number }[]
  /**
   * On a phone a press on a card opens it, where there is something to choose inside; else it chooses the
   * card.
   */
  opensOnPhone?: boolean
  /** Something is still being worked out. */
  waits?: boolean
  verb: string
  ask: (chosen: readonly R[]) => string
  askText: (chosen: readonly R[], day: string) => ReactNode
  hiddenSums: string
  make: (chosen: readonly R[], payDay: Day) => Promise<{ id: string }>
}

/**
 * A new file for the clearing centre, of either direction: what is due, everybody who can be in it chosen, and one
 * action for all of them.
 */
export function NewRun<R>(props: NewRunProps<R>) {
  const { title, days, rows, rowKey, isAble, none, error, verb } = props
  const t = useWords()
  const hides = useSession()?.HideTotalPrices ?? false
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [asks, setAsks] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const settings = useCall(masavSettings, {})
  const opensOnPress = usePhone() && props.opensOnPhone
  const able = rows.filter(isAble)
  const chosen = able.filter((row) => !left.has(rowKey(row)))
  const said = failure === undefined ? undefined : fieldErrors(t, failure, ['payDay'])
  const make = async () => {
    setFailure(undefined)
    try {
      const { id } = await props.make(chosen, days.payDay ?? days.today)
      banner.success(t('masav.made'))
      go(`/invoice/masavfile/${id}`)
    } catch (e) {
      setFailure(e)
    }
    setAsks(false)
  }
  return (
    <Together waits={settings.isLoading || props.loading}>
      <PageHeader
        title={title}
        sub={props.sub}
        actions={<Button href={props.files.href}>{props.files.label}</Button>}
      />
      <div className="ms-stack">
        {settings.data && !settings.data.settings && <NoSettings />}
        {hides && <Note>{props.hiddenSums}</Note>}
        {said?.rest && <Note tone="late">{said.rest}</Note>}
        <div className="ms-form">
          <DayField label={t('masav.until')} value={days.until} onChange={days.setUntil} />
          <DayField
            label={props.dayLabel}
            value={days.payDay}
            onChange={(day) => {
              setFailure(undefined)
              days.setPayDay(day)
            }}
            error={said?.fields.payDay}
          />
          {props.fields}
        </div>
        {props.notes}
        <DataTable
          label={title}
          main
          rows={rows}
          columns={props.columns}
          rowKey={rowKey}
          rowName={props.rowName}
          rowHref={props.rowHref}
          onOpen={
            opensOnPress
              ? (row) => {
                  setLeft(new Set([...left].filter((key) => key !== rowKey(row))))
                  props.onOpen?.(row)
                }
              : props.onOpen
          }
          menu={props.menu}
          loading={props.loading}
          isOff={(row) => !isAble(row) || (opensOnPress === true && left.has(rowKey(row)))}
          {...(opensOnPress
            ? {}
            : {
                selected: new Set(chosen.map(rowKey)),
                onSelect: (next: ReadonlySet<string>) =>
                  setLeft(new Set(able.map(rowKey).filter((key) => !next.has(key)))),
              })}
          empty={
            <EmptyState icon={Landmark} title={error ? failureText(t, error) : none.title}>
              {none.text}
            </EmptyState>
          }
        />
        <SelectionBar
          count={chosen.length}
          sums={
            hides
              ? []
              : props.sums.map(({ label, of }) => ({
                  label,
                  value: <Money amount={chosen.reduce((sum, row) => sum + of(row), 0)} />,
                }))
          }
          onClear={() => setLeft(new Set(able.map(rowKey)))}
        >
          <Button
            hi
            icon={Landmark}
            isDisabled={!settings.data?.settings || !days.payDay || props.waits}
            onPress={() => setAsks(true)}
          >
            {verb}
          </Button>
        </SelectionBar>
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={props.ask(chosen)}
        verb={verb}
        onConfirm={make}
      >
        {props.askText(chosen, days.payDay ? formatDay(days.payDay) : '')}
      </Question>
    </Together>
  )
}
