import { CloudOff, ScrollText } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import type { InputOf, OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Pager } from '#kit/web/parts/Pager.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { PeriodChoice } from '#kit/web/screens/PeriodChoice.tsx'
import { periodIn } from '#kit/web/screens/periods.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { listEntries } from '#features/base/ledger/endpoints.ts'
import { entryKinds } from '#features/base/ledger/entries.ts'
import { entriesPath } from './state.tsx'
import './journal.css'

type Asked = InputOf<typeof listEntries>
type Entry = OutputOf<typeof listEntries>['rows'][number]

/** Entries of the books in a period, whatever they came of. */
export function Screen() {
  const t = useWords()
  const today = useToday()
  const { query, setQuery } = usePlace()
  const period = periodIn(query, today)
  const kind = entryKinds.find((one) => one === query.kind)
  const [text, setText] = useState(query.q ?? '')
  return (
    <>
      <PageHeader title={t('screens.entries')} />
      <div className="jr-stack">
        <div className="d-asks">
          <PeriodChoice value={period} onChange={({ from, to }) => setQuery({ from, to })} />
          <div className="jr-ask">
            <ChoiceField
              as="list"
              label={t('journal.fields.kind')}
              hideLabel
              clearable
              placeholder={t('journal.allKinds')}
              value={kind ?? null}
              onChange={(next) => setQuery({ kind: next ?? undefined })}
              choices={entryKinds.map((value) => ({ value, label: t(`ledger.kinds.${value}`) }))}
            />
          </div>
          <div className="jr-ask">
            <TextField
              label={t('journal.search')}
              hideLabel
              placeholder={t('journal.search')}
              max={100}
              value={text}
              onChange={setText}
              onBlur={() => setQuery({ q: text.trim() || undefined })}
              onKeyDown={(event) => event.key === 'Enter' && setQuery({ q: text.trim() || undefined })}
            />
          </div>
        </div>
        <EntriesOf
          key={JSON.stringify([period, kind, query.q])}
          asked={{ ...period, ...(kind ? { kind } : {}), ...(query.q ? { q: query.q } : {}) }}
        />
      </div>
    </>
  )
}

/** Entries as a list that grows; a row leads to the entry. */
export function EntriesOf({ asked }: { asked: Asked }) {
  const t = useWords()
  const { data, error } = useCall(listEntries, { ...asked, size: 100 })
  const [more, setMore] = useState<Entry[]>([])
  const [cursor, setCursor] = useState<string | null>()
  const [busy, setBusy] = useState(false)
  if (error)
    return (
      <EmptyState icon={CloudOff} title={t('kit.reports.failed')}>
        {failureText(t, error)}
      </EmptyState>
    )
  const rows = [...(data?.rows ?? []), ...more]
  const next = cursor === undefined ? (data?.nextCursor ?? null) : cursor
  const load = async () => {
    setBusy(true)
    try {
      const answer = await call(listEntries, { ...asked, size: 100, cursor: next! })
      setMore((before) => [...before, ...answer.rows])
      setCursor(answer.nextCursor)
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  return (
    <>
      <DataTable
        label={t('screens.entries')}
        main
        density="dense"
        loading={!data}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={(row) => row.reference || row.details || formatDay(row.day)}
        rowHref={({ id }) => `${entriesPath}/${id}`}
        onOpen={({ id }) => go(`${entriesPath}/${id}`)}
        isOff={({ reversedById }) => reversedById !== null}
        empty={
          <EmptyState icon={ScrollText} title={t('journal.noEntries')}>
            {t('kit.reports.emptyText')}
          </EmptyState>
        }
        columns={[
          {
            key: 'day',
            title: t('journal.fields.day'),
            width: 'fit',
            strong: true,
            phone: 'line',
            cell: (row) => <Num>{formatDay(row.day)}</Num>,
          },
          {
            key: 'kind',
            title: t('journal.fields.kind'),
            width: 'fit',
            phone: 'line',
            cell: (row) => t(`ledger.kinds.${row.kind}`),
          },
          {
            key: 'reference',
            title: t('journal.fields.reference'),
            width: 'fit',
            cell: (row) => row.reference && <Num>{row.reference}</Num>,
          },
          {
            key: 'details',
            title: t('journal.fields.details'),
            width: 'trim',
            phone: 'title',
            cell: (row) => (
              <TextCell value={row.details || t(`ledger.kinds.${row.kind}`)} quiet={!row.details} />
            ),
          },
          ...(rows.some((row) => row.batch !== null)
            ? [
                {
                  key: 'batch',
                  title: t('journal.fields.number'),
                  width: 'fit',
                  align: 'amount' as const,
                  cell: (row: Entry) => row.batch && <Num>{row.batch}</Num>,
                },
              ]
            : []),
          {
            key: 'lines',
            title: t('journal.fields.lines'),
            width: 'fit',
            align: 'amount',
            cell: (row) => <Num>{row.lines}</Num>,
          },
          {
            key: 'total',
            title: t('journal.fields.sum'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.totalAgorot} />,
          },
        ]}
      />
      {rows.length > 0 && (
        <Pager shown={rows.length} hasMore={next !== null} onMore={() => void load()} busy={busy} />
      )}
    </>
  )
}
