import { CalendarClock, Plus, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { duesChecked, duesPublishedTo, duesSource, duties, isYearDuty, type Duty } from '#domain/law/dues.ts'
import { formNames, formVersions } from '#domain/law/forms.ts'
import { lawKeys, laws, type LawKey } from '#domain/law/figures.ts'
import { call, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField, PercentField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { MoneyCell, PercentCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import {
  enterDue,
  enterFigure,
  lawTable,
  revokeEntry,
  type LawDue,
  type LawEntry,
  type LawFigure,
} from '../endpoints.ts'

const parts = ['figures', 'dues', 'forms', 'entries'] as const
type Part = (typeof parts)[number]

const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(lawTable) })
const isDuty = (key: string): boolean => key.startsWith('due.')
const isFigure = (key: string): key is LawKey => (lawKeys as readonly string[]).includes(key)

/** The figures of the law and the reporting days the product goes by; operators enter what is new. */
export function Screen() {
  const t = useWords()
  const [part, setPart] = useState<Part>('figures')
  const [doing, setDoing] = useState<'figure' | 'due' | LawEntry>()
  const { data, error, refetch } = useCall(lawTable, {}, { staleTime: 0 })
  const gone = data?.figures.filter(({ known }) => !known) ?? []
  // Whether there are buttons is known with the figures: the page would move when they came.
  if (!data && !error) return <Skeleton lines={8} />
  return (
    <>
      <PageHeader
        title={t('screens.law')}
        sub={t('law.sub')}
        actions={
          data?.mayEnter && (
            <>
              <Button icon={CalendarClock} onPress={() => setDoing('due')}>
                {t('law.postpone')}
              </Button>
              <Button kind="primary" icon={Plus} onPress={() => setDoing('figure')}>
                {t('law.enter')}
              </Button>
            </>
          )
        }
      >
        <Views
          label={t('screens.law')}
          value={part}
          onChange={setPart}
          views={parts.map((key) => ({ key, label: t(`law.part.${key}`) }))}
        />
      </PageHeader>
      {gone.map(({ key, knownTo }) => (
        <Note key={key} tone="wait">
          {t('law.unknown', { figure: t(`law.figure.${key}`), day: knownTo ? formatDay(knownTo) : '' })}
        </Note>
      ))}
      {error && !data ? (
        <Failed error={error} onRetry={refetch} />
      ) : part === 'figures' ? (
        <Figures rows={data?.figures ?? []} loading={!data} />
      ) : part === 'dues' ? (
        <Dues rows={data?.dues ?? []} loading={!data} />
      ) : part === 'forms' ? (
        <Forms />
      ) : (
        <Entries
          rows={data?.entries ?? []}
          loading={!data}
          onRevoke={data?.mayEnter ? setDoing : undefined}
        />
      )}
      {doing === 'figure' && <FigureDialog onClose={() => setDoing(undefined)} />}
      {doing === 'due' && data && <DueDialog dues={data.dues} onClose={() => setDoing(undefined)} />}
      {typeof doing === 'object' && <RevokeDialog entry={doing} onClose={() => setDoing(undefined)} />}
    </>
  )
}

const Value = ({ unit, value }: { unit: 'agorot' | 'basisPoints'; value: number | null }) =>
  unit === 'agorot' ? <MoneyCell value={value} /> : <PercentCell value={value} />

function Figures({ rows, loading }: { rows: readonly LawFigure[]; loading: boolean }) {
  const t = useWords()
  return (
    <DataTable
      label={t('law.part.figures')}
      main
      rows={rows}
      rowKey={(row) => row.key}
      rowName={(row) => t(`law.figure.${row.key}`)}
      loading={loading}
      columns={[
        {
          key: 'figure',
          title: t('law.fields.figure'),
          strong: true,
          cell: (row) => <TextCell value={t(`law.figure.${row.key}`)} />,
          phone: 'title',
        },
        {
          key: 'value',
          title: t('law.fields.value'),
          align: 'amount',
          cell: (row) => <Value unit={row.unit} value={row.value} />,
          phone: 'amount',
        },
        {
          key: 'knownTo',
          title: t('law.fields.knownTo'),
          cell: (row) =>
            row.known ? (
              <Num>{row.knownTo ? formatDay(row.knownTo) : ''}</Num>
            ) : (
              <StatusPill tone="wait">{t('law.notKnown')}</StatusPill>
            ),
          phone: 'line',
        },
        {
          key: 'source',
          title: t('law.fields.source'),
          cell: (row) => <TextCell value={row.isEntered ? row.source : t(`law.sources.${row.source}`)} />,
          phone: 'line',
        },
        {
          key: 'checked',
          title: t('law.fields.checked'),
          cell: (row) => <Num>{formatDay(row.checked)}</Num>,
          phone: 'line',
        },
      ]}
    />
  )
}

const periodText = (period: string): string =>
  period.length === 4 ? period : `${period.slice(5)}/${period.slice(0, 4)}`

function Dues({ rows, loading }: { rows: readonly LawDue[]; loading: boolean }) {
  const t = useWords()
  return (
    <>
      <Note>
        {t('law.duesSource', {
          source: t(`law.sources.${duesSource}`),
          day: formatDay(duesChecked),
          month: periodText(duesPublishedTo),
        })}
      </Note>
      <DataTable
        label={t('law.part.dues')}
        main
        rows={rows}
        rowKey={(row) => `${row.duty} ${row.period}`}
        rowName={(row) => `${t(`law.duty.${row.duty}`)} ${periodText(row.period)}`}
        loading={loading}
        columns={[
          {
            key: 'duty',
            title: t('law.fields.duty'),
            strong: true,
            cell: (row) => <TextCell value={t(`law.duty.${row.duty}`)} />,
            phone: 'title',
          },
          {
            key: 'period',
            title: t('law.fields.period'),
            cell: (row) => <Num>{periodText(row.period)}</Num>,
            phone: 'line',
          },
          {
            key: 'day',
            title: t('law.fields.day'),
            cell: (row) => <Num>{formatDay(row.day)}</Num>,
            phone: 'amount',
          },
          {
            key: 'basis',
            title: t('law.fields.basis'),
            cell: (row) => (
              <StatusPill tone={row.basis === 'rule' ? 'wait' : row.basis === 'published' ? 'done' : 'info'}>
                {t(`law.basis.${row.basis}`)}
              </StatusPill>
            ),
            phone: 'state',
          },
        ]}
      />
    </>
  )
}

function Forms() {
  const t = useWords()
  return (
    <DataTable
      label={t('law.part.forms')}
      main
      rows={formNames.map((name) => ({ name, ...formVersions[name] }))}
      rowKey={(row) => row.name}
      rowName={(row) => t(`law.form.${row.name}`)}
      columns={[
        {
          key: 'form',
          title: t('law.fields.form'),
          strong: true,
          cell: (row) => <TextCell value={t(`law.form.${row.name}`)} />,
          phone: 'title',
        },
        {
          key: 'version',
          title: t('law.fields.version'),
          cell: (row) => <Num>{row.version}</Num>,
          phone: 'amount',
        },
        {
          key: 'toYear',
          title: t('law.fields.knownTo'),
          cell: (row) => <Num>{row.toYear === null ? '' : String(row.toYear)}</Num>,
          phone: 'line',
        },
        {
          key: 'source',
          title: t('law.fields.source'),
          cell: (row) => <TextCell value={t(`law.sources.${row.source}`)} />,
          phone: 'line',
        },
        {
          key: 'checked',
          title: t('law.fields.checked'),
          cell: (row) => <Num>{formatDay(row.checked)}</Num>,
          phone: 'line',
        },
      ]}
    />
  )
}

interface EntriesProps {
  rows: readonly LawEntry[]
  loading: boolean
  onRevoke: ((entry: LawEntry) => void) | undefined
}

function Entries({ rows, loading, onRevoke }: EntriesProps) {
  const t = useWords()
  const nameOf = ({ key }: LawEntry) => (isDuty(key) ? t(`law.duty.${key.slice(4)}`) : t(`law.figure.${key}`))
  return (
    <DataTable
      label={t('law.part.entries')}
      main
      rows={rows}
      rowKey={(row) => row.id}
      rowName={nameOf}
      loading={loading}
      {...(onRevoke
        ? {
            menu: (row: LawEntry) =>
              row.revokedAt
                ? []
                : [
                    {
                      key: 'revoke',
                      label: t('law.revoke'),
                      icon: Undo2,
                      tone: 'danger' as const,
                      onPress: () => onRevoke(row),
                    },
                  ],
          }
        : {})}
      columns={[
        {
          key: 'figure',
          title: t('law.fields.figure'),
          strong: true,
          cell: (row) => <TextCell value={nameOf(row)} />,
          phone: 'title',
        },
        {
          key: 'days',
          title: t('law.fields.days'),
          cell: (row) => (
            <Num>
              {formatDay(row.from)} - {formatDay(row.to)}
            </Num>
          ),
          phone: 'line',
        },
        {
          key: 'value',
          title: t('law.fields.value'),
          align: 'amount',
          cell: (row) =>
            isFigure(row.key) ? (
              <Value unit={laws[row.key].unit} value={Number(row.value)} />
            ) : (
              <Num>{formatDay(row.value)}</Num>
            ),
          phone: 'amount',
        },
        {
          key: 'source',
          title: t('law.fields.source'),
          cell: (row) => <TextCell value={row.source} />,
          phone: 'line',
        },
        {
          key: 'by',
          title: t('law.fields.by'),
          cell: (row) => (
            <TextCell value={[row.by, formatMoment(new Date(row.at))].filter(Boolean).join(' · ')} />
          ),
          phone: 'line',
        },
        {
          key: 'state',
          title: t('law.fields.state'),
          cell: (row) =>
            row.revokedAt ? (
              <StatusPill tone="late">
                {t('law.revoked', { at: formatMoment(new Date(row.revokedAt)) })}
              </StatusPill>
            ) : (
              <StatusPill tone="done">{t('law.holds')}</StatusPill>
            ),
          phone: 'state',
        },
      ]}
    />
  )
}

function FigureDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const [key, setKey] = useState<LawKey | null>('vatRate')
  const [from, setFrom] = useState<string | null>(null)
  const [to, setTo] = useState<string | null>(null)
  const [value, setValue] = useState<number | null>(null)
  const [source, setSource] = useState('')
  const Figure = key && laws[key].unit === 'agorot' ? MoneyField : PercentField
  return (
    <FormDialog
      title={t('law.enter')}
      verb={t('law.enterDo')}
      names={['key', 'from', 'to', 'value', 'source']}
      onClose={onClose}
      onSubmit={async () => {
        await call(enterFigure, { key: key!, from: from!, to: to!, value: value!, source })
        await refresh()
        banner.success(t('law.entered'))
        onClose()
      }}
    >
      {(error) => (
        <>
          <Note tone="wait">{t('law.enterHint')}</Note>
          <ChoiceField
            label={t('law.fields.figure')}
            as="list"
            value={key}
            onChange={(next) => {
              setKey(next)
              setValue(null)
            }}
            choices={lawKeys.map((one) => ({ value: one, label: t(`law.figure.${one}`) }))}
            {...error('key', key)}
          />
          <Figure
            label={t('law.fields.value')}
            value={value}
            onChange={setValue}
            {...error('value', value)}
          />
          <DayField label={t('law.fields.from')} value={from} onChange={setFrom} {...error('from', from)} />
          <DayField
            label={t('law.fields.to')}
            hint={t('law.toHint')}
            value={to}
            onChange={setTo}
            {...error('to', to)}
          />
          <TextField
            label={t('law.fields.source')}
            hint={t('law.sourceHint')}
            value={source}
            onChange={setSource}
            {...error('source', source)}
          />
        </>
      )}
    </FormDialog>
  )
}

function DueDialog({ dues, onClose }: { dues: readonly LawDue[]; onClose: () => void }) {
  const t = useWords()
  const [duty, setDuty] = useState<Duty | null>('vat')
  const [period, setPeriod] = useState<string | null>(null)
  const [day, setDay] = useState<string | null>(null)
  const [source, setSource] = useState('')
  const periods = dues.filter((one) => one.duty === duty)
  return (
    <FormDialog
      title={t('law.postpone')}
      verb={t('law.enterDo')}
      names={['duty', 'period', 'day', 'source']}
      onClose={onClose}
      onSubmit={async () => {
        await call(enterDue, { duty: duty!, period: period!, day: day!, source })
        await refresh()
        banner.success(t('law.entered'))
        onClose()
      }}
    >
      {(error) => (
        <>
          <Note tone="wait">{t('law.enterHint')}</Note>
          <ChoiceField
            label={t('law.fields.duty')}
            as="list"
            value={duty}
            onChange={(next) => {
              setDuty(next)
              if (next && duty && isYearDuty(next) !== isYearDuty(duty)) setPeriod(null)
            }}
            choices={duties.map((one) => ({ value: one, label: t(`law.duty.${one}`) }))}
            {...error('duty', duty)}
          />
          <ChoiceField
            label={t('law.fields.period')}
            hint={t('law.periodHint')}
            as="list"
            value={period}
            onChange={setPeriod}
            choices={periods.map((one) => ({
              value: one.period,
              label: periodText(one.period),
              hint: formatDay(one.day),
            }))}
            {...error('period', period)}
          />
          <DayField label={t('law.fields.day')} value={day} onChange={setDay} {...error('day', day)} />
          <TextField
            label={t('law.fields.source')}
            hint={t('law.sourceHint')}
            value={source}
            onChange={setSource}
            {...error('source', source)}
          />
        </>
      )}
    </FormDialog>
  )
}

function RevokeDialog({ entry, onClose }: { entry: LawEntry; onClose: () => void }) {
  const t = useWords()
  const [why, setWhy] = useState('')
  return (
    <FormDialog
      title={t('law.revoke')}
      verb={t('law.revoke')}
      danger
      names={['why']}
      onClose={onClose}
      onSubmit={async () => {
        await call(revokeEntry, { id: entry.id, why })
        await refresh()
        banner.success(t('law.revokedNow'))
        onClose()
      }}
    >
      {(error) => (
        <>
          <Note tone="wait">{t('law.revokeHint')}</Note>
          <TextField label={t('law.fields.why')} value={why} onChange={setWhy} {...error('why', why)} />
        </>
      )}
    </FormDialog>
  )
}
