import { CloudOff, FilePlus2, Layers } from 'lucide-react'
import { useRef, useState } from 'react'
import { endOfMonth, yearOf } from '#domain/day.ts'
import { formatDay, formatPeriod } from '#domain/format.ts'
import type { InputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Pager } from '#kit/web/parts/Pager.tsx'
import { useKeys } from '#kit/web/parts/useKeys.ts'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { automaticBatches, listBatches, type BatchHead } from '../endpoints.ts'
import { batchKinds } from '../journal.ts'
import { BatchState, batchesPath, entriesPath } from './state.tsx'
import './journal.css'

const views = ['all', 'open', 'checked', 'posted', 'dropped', 'automatic'] as const
type View = (typeof views)[number]

/** Batches that people typed, by their state; and what documents posted directly, by kind and month. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const offered = views.filter((view) =>
    view === 'automatic' ? may('reports.accounting') : may('journal.enter'),
  )
  useKeys(may('journal.enter') ? { n: () => go('/invoice/moveaccounting') } : {})
  const view = offered.find((one) => one === query.view) ?? offered[0] ?? 'all'
  return (
    <>
      <PageHeader
        title={t('screens.journalBatches')}
        actions={
          may('journal.enter') && (
            <Button kind="primary" icon={FilePlus2} href="/invoice/moveaccounting" keys="N">
              {t('journal.batch.new')}
            </Button>
          )
        }
      >
        <Views
          label={t('screens.journalBatches')}
          value={view}
          onChange={(next: View) => setQuery({ view: next === 'all' ? undefined : next })}
          controls="journal-batches"
          chips
          views={offered.map((key) => ({ key, label: t(`journal.views.${key}`) }))}
        />
      </PageHeader>
      <div id="journal-batches" role="tabpanel" aria-label={t(`journal.views.${view}`)} className="jr-stack">
        {view === 'automatic' ? <Automatic /> : <Typed state={view === 'all' ? undefined : view} />}
      </div>
    </>
  )
}

function Typed({ state }: { state: BatchHead['state'] | undefined }) {
  const t = useWords()
  const { query, setQuery } = usePlace()
  const kind = batchKinds.find((one) => one === query.kind)
  const [text, setText] = useState(query.q ?? '')
  const search = () => setQuery({ q: text.trim() || undefined })
  const box = useRef<HTMLInputElement>(null)
  useKeys({ '/': () => box.current?.focus() })
  const asked = { ...(state ? { state } : {}), ...(kind ? { kind } : {}), ...(query.q ? { q: query.q } : {}) }
  return (
    <>
      <div className="jr-asks">
        <div className="jr-ask">
          <ChoiceField
            as="list"
            label={t('journal.fields.batchKind')}
            hideLabel
            clearable
            placeholder={t('journal.allKinds')}
            value={kind ?? null}
            onChange={(next) => setQuery({ kind: next ?? undefined })}
            choices={batchKinds.map((value) => ({ value, label: t(`journal.kind.${value}`) }))}
          />
        </div>
        <div className="jr-ask">
          <TextField
            label={t('journal.searchBatches')}
            inputRef={box}
            hideLabel
            placeholder={t('journal.searchBatches')}
            max={100}
            value={text}
            onChange={setText}
            onBlur={search}
            onKeyDown={(event) => event.key === 'Enter' && search()}
          />
        </div>
      </div>
      <Found key={JSON.stringify(asked)} asked={asked} />
    </>
  )
}

function Found({ asked }: { asked: Omit<InputOf<typeof listBatches>, 'size' | 'cursor'> }) {
  const t = useWords()
  const { data, error } = useCall(listBatches, { size: 50, ...asked })
  const [more, setMore] = useState<BatchHead[]>([])
  const [cursor, setCursor] = useState<number | null>()
  const [busy, setBusy] = useState(false)
  if (error) return <Failed error={error} />
  const rows = [...(data?.rows ?? []), ...more]
  const next = cursor === undefined ? (data?.nextCursor ?? null) : cursor
  const load = async () => {
    setBusy(true)
    try {
      const answer = await call(listBatches, { size: 50, ...asked, cursor: next! })
      setMore((before) => [...before, ...answer.rows])
      setCursor(answer.nextCursor)
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  const hrefOf = (row: BatchHead) =>
    row.kind === 'opening' && row.state === 'open' ? '/invoice/openingbalances' : `${batchesPath}/${row.id}`
  return (
    <>
      <DataTable
        label={t('screens.journalBatches')}
        main
        loading={!data}
        rows={rows}
        rowKey={({ id }) => id}
        rowName={(row) => t('journal.batch.named', { number: String(row.number) })}
        rowHref={hrefOf}
        onOpen={(row) => go(hrefOf(row))}
        isOff={(row) => row.reversedById !== null}
        empty={
          <EmptyState
            icon={Layers}
            title={t(asked.q || asked.kind ? 'journal.none.found' : 'journal.none.title')}
            actions={<Button href="/invoice/moveaccounting">{t('journal.batch.new')}</Button>}
          >
            {t('journal.none.text')}
          </EmptyState>
        }
        columns={[
          {
            key: 'number',
            title: t('journal.fields.number'),
            width: 'fit',
            strong: true,
            phone: 'line',
            cell: (row) => <Num>{row.number}</Num>,
          },
          {
            key: 'kind',
            title: t('journal.fields.batchKind'),
            width: 'fit',
            phone: 'line',
            cell: (row) => t(`journal.kind.${row.kind}`),
          },
          {
            key: 'name',
            title: t('journal.fields.name'),
            width: 'trim',
            phone: 'title',
            cell: (row) => (
              <TextCell
                value={row.name || t('journal.batch.named', { number: String(row.number) })}
                quiet={!row.name}
              />
            ),
          },
          {
            key: 'days',
            title: t('journal.fields.days'),
            width: 'fit',
            cell: (row) =>
              row.firstDay && (
                <Num>{formatPeriod({ from: row.firstDay, to: row.lastDay ?? row.firstDay })}</Num>
              ),
          },
          {
            key: 'lines',
            title: t('journal.fields.lines'),
            width: 'fit',
            align: 'amount',
            cell: (row) => <Num>{row.lines || row.entries}</Num>,
          },
          {
            key: 'debit',
            title: t('journal.fields.sum'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.debitAgorot} />,
          },
          {
            key: 'by',
            title: t('journal.fields.by'),
            width: 'fit',
            cell: (row) => <TextCell value={row.postedBy ?? row.createdBy} quiet />,
          },
          {
            key: 'state',
            title: t('journal.fields.state'),
            width: 'fit',
            phone: 'state',
            cell: (row) =>
              row.reversedByNumber ? (
                <span className="hint">
                  {t('journal.batch.reversedBy', { number: String(row.reversedByNumber) })}
                </span>
              ) : (
                <BatchState state={row.state} />
              ),
          },
        ]}
      />
      {rows.length > 0 && (
        <Pager shown={rows.length} hasMore={next !== null} onMore={() => void load()} busy={busy} />
      )}
    </>
  )
}

function Automatic() {
  const t = useWords()
  const today = useToday()
  const { query, setQuery } = usePlace()
  const thisYear = yearOf(today)
  const year = /^2[01]\d\d$/.test(query.year ?? '') ? Number(query.year) : thisYear
  const { data, error } = useCall(automaticBatches, { year })
  if (error) return <Failed error={error} />
  const hrefOf = (row: { kind: string; month: string }) =>
    `${entriesPath}?kind=${row.kind}&from=${row.month}&to=${endOfMonth(row.month)}`
  return (
    <>
      <p className="hint">{t('journal.automatic.text')}</p>
      <div className="jr-year">
        <WholeField
          label={t('journal.automatic.year')}
          value={year}
          onChange={(next) => next && next >= 2000 && next <= 2199 && setQuery({ year: String(next) })}
        />
      </div>
      <DataTable
        label={t('journal.views.automatic')}
        main
        loading={!data}
        rows={data?.rows ?? []}
        rowKey={(row) => `${row.kind}-${row.month}`}
        rowName={(row) => `${t(`ledger.kinds.${row.kind}`)} ${row.month.slice(0, 7)}`}
        rowHref={hrefOf}
        onOpen={(row) => go(hrefOf(row))}
        empty={<EmptyState icon={Layers} title={t('journal.automatic.none')} />}
        columns={[
          {
            key: 'month',
            title: t('journal.fields.month'),
            width: 'fit',
            phone: 'line',
            cell: (row) => <Num>{formatDay(row.month).slice(3)}</Num>,
          },
          {
            key: 'kind',
            title: t('journal.fields.kind'),
            width: 'trim',
            strong: true,
            phone: 'title',
            cell: (row) => t(`ledger.kinds.${row.kind}`),
          },
          {
            key: 'entries',
            title: t('journal.fields.entries'),
            width: 'fit',
            align: 'amount',
            phone: 'line',
            cell: (row) => <Num>{row.entries}</Num>,
          },
          {
            key: 'debit',
            title: t('journal.fields.sum'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.debitAgorot} />,
          },
        ]}
      />
    </>
  )
}

function Failed({ error }: { error: unknown }) {
  const t = useWords()
  return (
    <EmptyState icon={CloudOff} title={t('kit.reports.failed')}>
      {failureText(t, error)}
    </EmptyState>
  )
}
