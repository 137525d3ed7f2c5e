import { CircleCheck, Download, FileQuestion } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatMoney, formatPercent } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { refreshResource } from '#kit/web/screens/resources.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import {
  applyAnswer1000,
  csvColumns,
  overview1000,
  query1000,
  readAnswer1000,
  type Answered,
  type Asked,
  type CsvColumn,
} from '../endpoints.ts'
import { suppliers } from '../suppliers.ts'
import { withholdingCertificates } from '../withholdingCertificates.ts'
import { supplierPath } from './paths.ts'
import './suppliers.css'

type Which = 'all' | 'expiring'

/** System 1000: the question to the tax authority goes out as a file, its answer comes back as one. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { data, error, refetch } = useCall(overview1000, {})
  return (
    <>
      <PageHeader title={t('screens.report1000')} sub={t('suppliers.s1000.sub')} />
      {error ? (
        <Note
          tone="late"
          action={
            <Button size="s" onPress={() => void refetch()}>
              {t('kit.actions.retry')}
            </Button>
          }
        >
          {failureText(t, error)}
        </Note>
      ) : !data ? (
        <Skeleton lines={8} />
      ) : data.rows.length === 0 ? (
        <EmptyState
          icon={FileQuestion}
          title={t('suppliers.empty.title')}
          actions={
            may(suppliers.allow.change) && <Button href={suppliers.screens.form}>{t('suppliers.new')}</Button>
          }
        >
          {t('suppliers.s1000.needsSuppliers')}
        </EmptyState>
      ) : (
        <div className="su-steps">
          <Ask
            withholdingFile={data.withholdingFile}
            mostRows={data.mostRows}
            rows={data.rows}
            mayChange={may(suppliers.allow.change)}
          />
          {may(suppliers.allow.change) && <Answer onApplied={() => void refetch()} />}
          <p className="hint text-13">{t('suppliers.s1000.unofficial')}</p>
        </div>
      )}
    </>
  )
}

function Ask({
  withholdingFile,
  mostRows,
  rows,
  mayChange,
}: {
  withholdingFile: string | null
  mostRows: number
  rows: Asked[]
  mayChange: boolean
}) {
  const t = useWords()
  const fetchFile = useFile()
  const able = rows.filter(({ problem }) => problem === null)
  const expiring = able.filter(({ state }) => state !== 'valid')
  const unable = rows.filter(({ problem }) => problem !== null)
  const [chosen, setWhich] = useState<Which>()
  const which = chosen ?? (expiring.length ? 'expiring' : 'all')
  const count = which === 'all' ? able.length : expiring.length
  const parts = Math.ceil(count / mostRows)
  const save = (part: number) => void fetchFile(query1000, { which, part })
  return (
    <Card title={t('suppliers.s1000.ask')}>
      {withholdingFile === null && (
        <Note
          tone="wait"
          action={
            <Button size="s" href="/invoice/InvoiceEditCompany?tab=tax">
              {t('screens.businessDetails')}
            </Button>
          }
        >
          {t('errors.suppliers.noWithholdingFile')}
        </Note>
      )}
      <ChoiceField
        label={t('suppliers.s1000.which')}
        value={which}
        onChange={(next) => next && setWhich(next)}
        choices={[
          { value: 'expiring', label: t('suppliers.s1000.expiring', { count: expiring.length }) },
          { value: 'all', label: t('suppliers.s1000.all', { count: able.length }) },
        ]}
      />
      {mayChange && withholdingFile !== null && (count > 0 || unable.length === 0) && (
        <div className="su-acts">
          {count === 0 ? (
            <span className="hint">{t('suppliers.s1000.nobody')}</span>
          ) : (
            Array.from({ length: parts }, (_, i) => (
              <Button key={i} icon={Download} onPress={() => save(i + 1)}>
                {parts === 1
                  ? t('suppliers.s1000.save')
                  : t('suppliers.s1000.savePart', { part: i + 1, parts })}
              </Button>
            ))
          )}
        </div>
      )}
      {unable.length > 0 && (
        <details>
          <summary className="link aim text-13">
            {t('suppliers.s1000.unable', { count: unable.length })}
          </summary>
          <ul className="su-plain mt-2">
            {unable.map((one) => (
              <li key={one.id}>
                <Link className="link" href={supplierPath(one.id, 'edit')}>
                  <bdi>{one.name}</bdi>
                </Link>{' '}
                <span className="hint text-13">{t(`suppliers.s1000.problem.${one.problem}`)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

type Reading = OutputOf<typeof readAnswer1000>

function Answer({ onApplied }: { onApplied: () => void }) {
  const t = useWords()
  const [file, setFile] = useState<File>()
  const [reading, setReading] = useState<Reading>()
  const [columns, setColumns] = useState<string>()
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set())
  const [refused, setRefused] = useState<string>()
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  const [made, setMade] = useState<number>()

  const read = async (given: File, mapped?: string) => {
    setBusy(true)
    setRefused(undefined)
    setProblem(undefined)
    setMade(undefined)
    try {
      setReading(
        await call(readAnswer1000, {
          name: given.name,
          bytes: given,
          ...(mapped ? { columns: mapped } : {}),
        }),
      )
      setFile(given)
      setColumns(mapped)
      setLeft(new Set())
    } catch (e) {
      // Other columns of the same file may be chosen again.
      if (mapped) setProblem(failureText(t, e))
      else {
        setReading(undefined)
        setFile(undefined)
        setRefused(failureText(t, e))
      }
    } finally {
      setBusy(false)
    }
  }
  const apply = async () => {
    if (!file || !reading) return
    setBusy(true)
    setProblem(undefined)
    try {
      const skip = reading.rows.filter((row) => left.has(row.supplierId)).map(({ taxId }) => taxId)
      const answer = await call(applyAnswer1000, {
        name: file.name,
        bytes: file,
        ...(columns ? { columns } : {}),
        ...(skip.length ? { skip: skip.join(',') } : {}),
      })
      await Promise.all([refreshResource(suppliers), refreshResource(withholdingCertificates)])
      setMade(answer.made)
      setReading(undefined)
      setFile(undefined)
      onApplied()
    } catch (e) {
      setProblem(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  const fresh = reading?.rows.filter((row) => !row.same) ?? []
  const wanted = fresh.filter((row) => !left.has(row.supplierId))
  return (
    <Card title={t('suppliers.s1000.answer')}>
      {made !== undefined && (
        <Note tone="done" icon={CircleCheck}>
          {t('suppliers.s1000.made', { count: made })}
        </Note>
      )}
      <FileDrop
        accept=".dat,.txt,.csv,text/plain,text/csv"
        limit={2 * 1024 * 1024}
        refused={refused}
        onFiles={([given]) => given && void read(given)}
      >
        {t(file ? 'suppliers.s1000.dropOther' : 'suppliers.s1000.drop')}
      </FileDrop>
      {file && reading && (
        <p className="hint text-13">
          <bdi>{file.name}</bdi> · {t(`suppliers.s1000.kind.${reading.kind}`)}
        </p>
      )}
      {reading?.table && (
        <Columns table={reading.table} busy={busy} onChange={(mapped) => file && void read(file, mapped)} />
      )}
      {reading && reading.rows.length > 0 && <Changes rows={reading.rows} left={left} onLeft={setLeft} />}
      {reading && <Troubles reading={reading} />}
      {problem && <Note tone="late">{problem}</Note>}
      {reading && reading.rows.length > 0 && (
        <div className="su-acts">
          {fresh.length === 0 ? (
            <span className="hint">{t('suppliers.s1000.allKnown')}</span>
          ) : (
            <Button
              kind="primary"
              busy={busy}
              onPress={() => void apply()}
              {...(wanted.length === 0 ? { blocked: t('suppliers.s1000.chooseSome') } : {})}
            >
              {t('suppliers.s1000.apply', { count: wanted.length })}
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}

/** Which column of a table holds what. */
function Columns({
  table,
  busy,
  onChange,
}: {
  table: NonNullable<Reading['table']>
  busy: boolean
  onChange: (mapped: string) => void
}) {
  const t = useWords()
  const choose = (name: CsvColumn, at: string | null) => {
    const next: Partial<Record<CsvColumn, number>> = { ...table.columns }
    if (at === null) delete next[name]
    else next[name] = Number(at)
    onChange(
      Object.entries(next)
        .map(([column, index]) => `${column}:${index}`)
        .join(','),
    )
  }
  return (
    <>
      {table.missing.length > 0 && <Note tone="wait">{t('suppliers.s1000.mapNeeded')}</Note>}
      <div className="su-map">
        {csvColumns.map((name) => (
          <ChoiceField
            key={name}
            as="list"
            clearable
            disabled={busy}
            label={t(`suppliers.s1000.column.${name}`)}
            optional={!['taxId', 'rate', 'toDay'].includes(name)}
            value={table.columns[name] === undefined ? null : String(table.columns[name])}
            onChange={(at) => choose(name, at)}
            choices={table.head.map((title, i) => ({ value: String(i), label: title || String(i + 1) }))}
          />
        ))}
      </div>
    </>
  )
}

function Changes({
  rows,
  left,
  onLeft,
}: {
  rows: Answered[]
  left: ReadonlySet<string>
  onLeft: (left: ReadonlySet<string>) => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const selected = useMemo(
    () =>
      new Set(
        rows.filter((row) => !row.same && !left.has(row.supplierId)).map(({ supplierId }) => supplierId),
      ),
    [rows, left],
  )
  const rateOf = (of: { rateBp: number | null; booksValid: boolean } | null) =>
    of === null
      ? '–'
      : !of.booksValid
        ? t('suppliers.withholdingShort.booksNotApproved')
        : of.rateBp === null
          ? t('suppliers.withholdingShort.none')
          : formatPercent(of.rateBp, lang)
  return (
    <DataTable
      label={t('suppliers.s1000.answer')}
      rows={rows}
      rowKey={({ supplierId }) => supplierId}
      rowName={({ name }) => name}
      isOff={({ same }) => same}
      selected={selected}
      onSelect={(next) =>
        onLeft(
          new Set(
            rows
              .filter(({ supplierId, same }) => !same && !next.has(supplierId))
              .map(({ supplierId }) => supplierId),
          ),
        )
      }
      columns={[
        {
          key: 'name',
          title: t('suppliers.fields.name'),
          strong: true,
          width: 'trim',
          phone: 'title',
          cell: ({ name }) => <bdi>{name}</bdi>,
        },
        {
          key: 'taxId',
          title: t('suppliers.columns.taxId'),
          width: 'fit',
          phone: 'line',
          cell: ({ taxId }) => <Num>{taxId}</Num>,
        },
        {
          key: 'before',
          title: t('suppliers.s1000.before'),
          width: 'fit',
          cell: ({ before }) => <span className="hint">{rateOf(before)}</span>,
        },
        {
          key: 'after',
          title: t('suppliers.s1000.after'),
          width: 'fit',
          phone: 'amount',
          cell: ({ after }) => <bdi>{rateOf(after)}</bdi>,
        },
        {
          key: 'fromDay',
          title: t('withholdingCertificates.fields.fromDay'),
          width: 'fit',
          cell: ({ after }) => <Num>{formatDay(after.fromDay)}</Num>,
        },
        {
          key: 'toDay',
          title: t('withholdingCertificates.fields.toDay'),
          width: 'fit',
          phone: 'line',
          cell: ({ after }) => <Num>{formatDay(after.toDay)}</Num>,
        },
        {
          key: 'ceiling',
          title: t('withholdingCertificates.fields.ceilingAgorot'),
          width: 'fit',
          align: 'amount',
          cell: ({ after }) => (after.ceilingAgorot ? <Num>{formatMoney(after.ceilingAgorot)}</Num> : null),
        },
        {
          key: 'state',
          title: t('suppliers.s1000.state'),
          width: 'fit',
          phone: 'state',
          cell: ({ same }) => (
            <StatusPill tone={same ? 'plain' : 'info'}>
              {t(same ? 'suppliers.s1000.same' : 'suppliers.s1000.new')}
            </StatusPill>
          ),
        },
      ]}
    />
  )
}

/** What could not be taken over, and why. */
function Troubles({ reading }: { reading: Reading }) {
  const t = useWords()
  const { refusals, strangers, badLines } = reading
  if (reading.kind === 'query') return <Note tone="wait">{t('suppliers.s1000.isQuery')}</Note>
  return (
    <>
      {refusals.length > 0 && (
        <Note tone="wait">
          <p>{t('suppliers.s1000.refused', { count: refusals.length })}</p>
          <ul className="su-plain mt-2">
            {refusals.map((one, i) => (
              <li key={i}>
                {one.supplierId ? (
                  <Link className="link" href={supplierPath(one.supplierId, 'edit')}>
                    <bdi>{one.name}</bdi>
                  </Link>
                ) : (
                  <Num>{one.key}</Num>
                )}{' '}
                <span className="text-13">
                  {one.known
                    ? t(`suppliers.s1000.error.${one.known}`)
                    : t('suppliers.s1000.error.other', { code: one.errorCode })}
                  {one.errorText && !one.known && (
                    <>
                      {' '}
                      <bdi>{one.errorText}</bdi>
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </Note>
      )}
      {strangers.length > 0 && (
        <Note>
          {t('suppliers.s1000.strangers', { count: strangers.length })}{' '}
          <Num>{strangers.slice(0, 10).join(', ')}</Num>
        </Note>
      )}
      {badLines.length > 0 && (
        <Note tone="wait">
          {t('suppliers.s1000.badLines', { count: badLines.length })}{' '}
          <Num>{badLines.slice(0, 20).join(', ')}</Num>
        </Note>
      )}
    </>
  )
}
