import { Download, FileSpreadsheet, FileText } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoney, formatNumber } from '#domain/format.ts'
import { callFile, failureText } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { CodeCell, MoneyCell, NumberCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { Views } from '#kit/web/parts/Views.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  cardRoles,
  parityOfImport,
  specialAccounts,
  type CardRole,
  type Choices,
  type InBooks,
  type Parity,
  type SpecialAccount,
  type WholeImport,
} from '../endpoints.ts'

const countNames = [
  'customers',
  'suppliers',
  'accounts',
  'items',
  'documents',
  'otherPapers',
  'entries',
  'openingItems',
] as const

/** What the file says, what it would become here, and where the two differ. */
export function ParityReport({
  one,
  report,
  onCheck,
}: {
  one: WholeImport
  report: Parity
  onCheck: (choices: Choices) => void
}) {
  const t = useWords()
  const { program } = report
  return (
    <>
      <Card
        title={program.business || one.name}
        hint={
          // A file without INI.TXT does not say what made it.
          program.name ? (
            <bdi>
              {t('uniform.import.program', {
                name: program.name,
                version: program.version,
                from: formatDay(program.from),
                to: formatDay(program.to),
              })}
            </bdi>
          ) : (
            <Num>
              {formatDay(program.from)} – {formatDay(program.to)}
            </Num>
          )
        }
        end={
          <Menu
            label={t('kit.lists.export')}
            items={(['pdf', 'xlsx', 'csv'] as const).map((format) => ({
              key: format,
              label: t(format === 'pdf' ? 'kit.reports.pdf' : `kit.lists.${format}`),
              icon: format === 'pdf' ? FileText : format === 'xlsx' ? FileSpreadsheet : Download,
              onPress: () =>
                void callFile(parityOfImport, { id: one.id, format }).catch((e: unknown) =>
                  banner.error(failureText(t, e)),
                ),
            }))}
            trigger={
              <Button size="s" icon={Download}>
                {t('kit.lists.export')}
              </Button>
            }
          />
        }
        flush
      >
        <Figures label={t('uniform.import.countsLabel')}>
          {countNames.map((name) => (
            <Figure
              key={name}
              size="s"
              label={t(`uniform.import.counts.${name}`)}
              value={<Num>{formatNumber(report.counts[name])}</Num>}
            />
          ))}
        </Figures>
      </Card>
      {report.unbalancedAgorot !== 0 && (
        <Note tone="wait">
          {t('uniform.import.unbalanced')} <Num>{formatMoney(report.unbalancedAgorot)}</Num>
        </Note>
      )}
      {one.state === 'checked' && <ChoicesForm report={report} onCheck={onCheck} />}
      <FaultsCard report={report} />
      <DocumentsCard report={report} />
      {report.inBooks && <InBooksCard found={report.inBooks} />}
      <BalancesCard report={report} />
      <Card title={t('uniform.import.records')} flush>
        <DataTable
          label={t('uniform.import.records')}
          rows={report.records}
          rowKey={(row) => row.code}
          columns={[
            {
              key: 'code',
              title: t('uniform.import.columns.record'),
              width: 'fit',
              strong: true,
              phone: 'title',
              cell: (row) => <CodeCell value={row.code} />,
            },
            {
              key: 'what',
              title: t('uniform.run.description'),
              phone: 'line',
              cell: (row) => t(`uniform.run.records.${row.code}`),
            },
            {
              key: 'found',
              title: t('uniform.import.columns.count'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <NumberCell value={row.found} />,
            },
            {
              key: 'said',
              title: t('uniform.import.columns.saidCount'),
              align: 'amount',
              cell: (row) => <NumberCell value={row.said} />,
            },
          ]}
        />
      </Card>
    </>
  )
}

/** What could only be guessed is for the person to say. */
function ChoicesForm({ report, onCheck }: { report: Parity; onCheck: (choices: Choices) => void }) {
  const t = useWords()
  const [sorts, setSorts] = useState<Record<string, CardRole>>(() =>
    Object.fromEntries(report.sorts.map(({ code, role }) => [code, role])),
  )
  const [accounts, setAccounts] = useState<Partial<Record<SpecialAccount, string>>>(() =>
    Object.fromEntries(report.accounts.map(({ name, key }) => [name, key ?? ''])),
  )
  const cards = report.cards.map(({ key, name }) => ({ value: key, label: `${key} ${name}` }))
  return (
    <Card title={t('uniform.import.sorts')} hint={t('uniform.import.sortsHint')}>
      <div className="un-form">
        <div className="un-choices">
          {report.sorts.map((sort) => (
            <ChoiceField
              key={sort.code}
              as="list"
              label={
                sort.code
                  ? t('uniform.import.sortOf', { code: sort.code, name: sort.name })
                  : t('uniform.import.noSort')
              }
              hint={`${t('uniform.import.sortCards', { count: sort.accounts, example: sort.example })}${sort.sure ? '' : ` · ${t('uniform.import.unsure')}`}`}
              choices={cardRoles.map((value) => ({ value, label: t(`uniform.roles.${value}`) }))}
              value={sorts[sort.code] ?? sort.role}
              onChange={(role) => role && setSorts({ ...sorts, [sort.code]: role })}
            />
          ))}
        </div>
        <h3>
          {t('uniform.import.special')}{' '}
          <span className="hint text-12">{t('uniform.import.specialHint')}</span>
        </h3>
        <div className="un-choices">
          {specialAccounts.map((name) => (
            <ChoiceField
              key={name}
              as="list"
              clearable
              label={t(`uniform.import.accounts.${name}`)}
              choices={cards}
              value={accounts[name] || null}
              onChange={(key) => setAccounts({ ...accounts, [name]: key ?? '' })}
            />
          ))}
        </div>
        <div className="un-acts">
          <Button kind="soft" onPress={() => onCheck({ sorts, accounts })}>
            {t('uniform.import.again')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

function FaultsCard({ report }: { report: Parity }) {
  const t = useWords()
  const rows = [...report.identities.rows, ...report.writing.rows]
  const counts = { ...report.writing.counts, ...report.identities.counts }
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  if (rows.length === 0) return <Note tone="done">{t('uniform.import.noFaults')}</Note>
  return (
    <Card
      title={t('uniform.import.faults')}
      hint={
        all > rows.length ? (
          t('uniform.import.more', { count: all - rows.length })
        ) : (
          <Num>{formatNumber(all)}</Num>
        )
      }
      flush
    >
      <DataTable
        label={t('uniform.import.faults')}
        rows={rows.map((row, i) => ({ ...row, id: String(i) }))}
        rowKey={(row) => row.id}
        density="compact"
        columns={[
          {
            key: 'line',
            title: t('uniform.import.columns.line'),
            width: 'fit',
            phone: 'line',
            cell: (row) => <NumberCell value={row.line || null} />,
          },
          {
            key: 'fault',
            title: t('uniform.import.columns.fault'),
            phone: 'title',
            cell: (row) => <span className="un-fault">{t(`uniform.faults.${row.code}`, row.params)}</span>,
          },
          {
            key: 'difference',
            title: t('uniform.import.unbalancedSum'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={differenceOf(row.params)} />,
          },
        ]}
      />
    </Card>
  )
}

const differenceOf = (params: Record<string, string | number>): number | null => {
  if (params.differenceAgorot !== undefined) return Number(params.differenceAgorot)
  return params.saidAgorot === undefined ? null : Number(params.saidAgorot) - Number(params.foundAgorot)
}

function DocumentsCard({ report }: { report: Parity }) {
  const t = useWords()
  if (report.documents.length === 0) return null
  return (
    <>
      <Card title={t('uniform.import.documents')} flush>
        <DataTable
          label={t('uniform.import.documents')}
          rows={report.documents}
          rowKey={(row) => `${row.code}-${row.month}`}
          density="compact"
          columns={[
            {
              key: 'kind',
              title: t('uniform.import.columns.kind'),
              strong: true,
              phone: 'title',
              cell: (row) => t(`uniform.codes.${row.code}`),
            },
            {
              key: 'month',
              title: t('uniform.import.columns.month'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <CodeCell value={`${row.month.slice(5)}/${row.month.slice(0, 4)}`} />,
            },
            {
              key: 'count',
              title: t('uniform.import.columns.count'),
              align: 'amount',
              cell: (row) => <NumberCell value={row.count} />,
            },
            {
              key: 'total',
              title: t('uniform.import.columns.total'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <MoneyCell value={row.totalAgorot} />,
            },
            {
              key: 'kept',
              title: t('uniform.import.columns.kept'),
              align: 'amount',
              cell: (row) => <NumberCell value={row.kept} />,
            },
          ]}
        />
      </Card>
      <Card title={t('uniform.import.series')} flush>
        <DataTable
          label={t('uniform.import.series')}
          rows={report.series}
          rowKey={(row) => `${row.code}-${row.first}`}
          density="compact"
          columns={[
            {
              key: 'kind',
              title: t('uniform.import.columns.kind'),
              strong: true,
              phone: 'title',
              cell: (row) => t(`uniform.codes.${row.code}`),
            },
            {
              key: 'first',
              title: t('uniform.import.columns.first'),
              width: 'fit',
              cell: (row) => <CodeCell value={row.first} />,
            },
            {
              key: 'last',
              title: t('uniform.import.columns.last'),
              width: 'fit',
              phone: 'line',
              cell: (row) => <CodeCell value={row.last} />,
            },
            {
              key: 'count',
              title: t('uniform.import.columns.count'),
              align: 'amount',
              phone: 'amount',
              cell: (row) => <NumberCell value={row.count} />,
            },
            {
              key: 'missing',
              title: t('uniform.import.columns.missing'),
              align: 'amount',
              cell: (row) => <NumberCell value={row.missing} />,
            },
          ]}
        />
      </Card>
    </>
  )
}

/** The books after the import, compared with the file; each difference leads to its screen. */
function InBooksCard({ found }: { found: InBooks }) {
  const t = useWords()
  const compared = t('uniform.inBooks.compared', {
    accounts: formatNumber(found.accounts),
    parties: formatNumber(found.parties),
    days: formatNumber(found.days),
  })
  if (found.found === 0)
    return (
      <Card title={t('uniform.inBooks.title')}>
        <Note tone="done">{t('uniform.inBooks.same')}</Note>
        <p className="hint">{compared}</p>
      </Card>
    )
  return (
    <Card
      title={t('uniform.inBooks.title')}
      hint={`${t('uniform.inBooks.found', { count: found.found })} ${compared}`}
      flush
    >
      <DataTable
        label={t('uniform.inBooks.title')}
        rows={found.differences}
        rowKey={(row) => `${row.part} ${row.day} ${row.open}`}
        rowHref={(row) => row.open}
        density="compact"
        columns={[
          {
            key: 'part',
            title: t('uniform.parity.columns.part'),
            width: 'fit',
            phone: 'line',
            cell: (row) => t(`uniform.inBooks.part.${row.part}`),
          },
          {
            key: 'name',
            title: t('uniform.import.columns.name'),
            strong: true,
            phone: 'title',
            cell: (row) => <TextCell value={row.name || row.key} />,
          },
          {
            key: 'day',
            title: t('uniform.inBooks.day'),
            width: 'fit',
            phone: 'line',
            cell: (row) => <Num>{formatDay(row.day)}</Num>,
          },
          {
            key: 'file',
            title: t('uniform.inBooks.file'),
            align: 'amount',
            phone: 'line',
            named: () => true,
            cell: (row) => <MoneyCell value={row.fileAgorot} />,
          },
          {
            key: 'books',
            title: t('uniform.inBooks.books'),
            align: 'amount',
            phone: 'line',
            named: () => true,
            cell: (row) => <MoneyCell value={row.booksAgorot} />,
          },
          {
            key: 'difference',
            title: t('uniform.parity.columns.differenceAgorot'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.booksAgorot - row.fileAgorot} />,
          },
        ]}
      />
    </Card>
  )
}

function BalancesCard({ report }: { report: Parity }) {
  const t = useWords()
  const phone = usePhone()
  const differing = report.balances.filter((row) => row.saidAgorot !== row.foundAgorot)
  // What differs is what one came to see.
  const [view, setView] = useState<'all' | 'differ'>(differing.length ? 'differ' : 'all')
  if (report.balances.length === 0) return null
  return (
    <Card
      label={t('uniform.import.balances')}
      title={
        <Views
          label={t('uniform.import.balances')}
          views={[
            { key: 'all', label: t('uniform.import.balancesAll'), count: report.balances.length },
            {
              key: 'differ',
              label: t('uniform.import.balancesDiffer'),
              count: differing.length,
              ...(differing.length ? { tone: 'wait' as const } : {}),
            },
          ]}
          value={view}
          onChange={setView}
        />
      }
      flush
    >
      <DataTable
        label={t('uniform.import.balances')}
        rows={view === 'all' ? report.balances : differing}
        rowKey={(row) => row.key}
        density="compact"
        columns={[
          {
            key: 'key',
            title: t('uniform.import.columns.key'),
            width: 'fit',
            cell: (row) => <CodeCell value={row.key} />,
          },
          {
            key: 'name',
            title: t('uniform.import.columns.name'),
            strong: true,
            phone: 'title',
            cell: (row) => <TextCell value={row.name} />,
          },
          {
            key: 'role',
            title: t('uniform.import.columns.role'),
            width: 'fit',
            phone: 'line',
            cell: (row) => t(`uniform.roles.${row.role}`),
          },
          {
            key: 'opening',
            title: t('uniform.import.columns.opening'),
            align: 'amount',
            cell: (row) => <MoneyCell value={row.openingAgorot} />,
          },
          {
            key: 'said',
            title: t('uniform.import.columns.said'),
            align: 'amount',
            phone: 'state',
            cell: (row) =>
              phone ? (
                row.saidAgorot !== row.foundAgorot && (
                  <span className="text-13">
                    {t('uniform.import.columns.said')} <MoneyCell value={row.saidAgorot} />
                  </span>
                )
              ) : (
                <MoneyCell value={row.saidAgorot} />
              ),
          },
          {
            key: 'found',
            title: t('uniform.import.columns.found'),
            align: 'amount',
            phone: 'amount',
            cell: (row) => <MoneyCell value={row.foundAgorot} />,
          },
          {
            key: 'item',
            title: t('uniform.import.columns.openingItem'),
            align: 'amount',
            cell: (row) => <MoneyCell value={row.openingItemAgorot} />,
          },
        ]}
      />
      <p className="k-card-body hint">{t('uniform.import.oldest')}</p>
    </Card>
  )
}
