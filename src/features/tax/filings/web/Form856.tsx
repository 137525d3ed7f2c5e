import { Archive, Download, FileSpreadsheet, FileText, Mail, Truck } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import { call, callFile, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, NumberCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { certificate857, certificates857, export856, form856, send857, type Payee856 } from '../endpoints.ts'
import { opensPapers } from '../papers.ts'
import { BothWays, Missing, Others, useYear } from './shared.tsx'

/** The yearly return of tax withheld from suppliers, and the certificates they are given. */
export function Screen() {
  const t = useWords()
  const may = useCan()('filings.make')
  const sees = !useSession()?.HideTotalPrices
  const { year, choice } = useYear()
  const { data, error, refetch } = useCall(form856, { year })
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const file = (work: () => Promise<void>) =>
    void work().catch((e: unknown) => banner.error(failureText(t, e)))
  const send = async (supplierIds: string[]) => {
    if (busy) return
    setBusy(true)
    try {
      const { sent, withoutMail } = await call(send857, { year, supplierIds })
      await queryClient.invalidateQueries({ queryKey: keyOf(form856) })
      setSelected(new Set())
      if (sent) banner.success(t('filings.form857.sent', { count: sent }))
      if (withoutMail.length)
        banner.error(t('filings.form857.withoutMail', { names: withoutMail.slice(0, 5).join(', ') }))
    } catch (e) {
      banner.error(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  const incomplete = data?.rows.filter((row) => row.missing.length > 0).length ?? 0
  return (
    <div className="fi-stack">
      <PageHeader
        title={t('screens.report856')}
        sub={data && t('filings.form856.sub', { day: formatDay(data.dueDay) })}
        actions={
          sees &&
          data &&
          data.rows.length > 0 && (
            <>
              <Menu
                label={t('kit.lists.export')}
                items={[
                  {
                    key: 'xlsx',
                    label: t('kit.lists.xlsx'),
                    icon: FileSpreadsheet,
                    onPress: () => file(() => callFile(export856, { year, format: 'xlsx' })),
                  },
                  {
                    key: 'csv',
                    label: t('kit.lists.csv'),
                    icon: Download,
                    onPress: () => file(() => callFile(export856, { year, format: 'csv' })),
                  },
                ]}
                trigger={<Button icon={Download}>{t('kit.lists.export')}</Button>}
              />
              <Button icon={Archive} onPress={() => file(() => callFile(certificates857, { year }))}>
                {t('filings.form857.all')}
              </Button>
            </>
          )
        }
      />
      <div className="fi-acts">
        {choice}
        {may && sees && selected.size > 0 && (
          <Button kind="primary" icon={Mail} busy={busy} onPress={() => void send([...selected])}>
            {t('filings.form857.send', { count: selected.size })}
          </Button>
        )}
      </div>
      {!data ? (
        <Missing error={error} retry={() => void refetch()} />
      ) : (
        <>
          {data.withholdingFile === null && (
            <Note
              tone="wait"
              action={
                <Button size="s" href="/invoice/InvoiceEditCompany?tab=tax">
                  {t('screens.businessDetails')}
                </Button>
              }
            >
              {t('filings.form856.noFile')}
            </Note>
          )}
          {data.rows.length + data.differences.length > 0 && (
            <BothWays
              papersAgorot={data.totals.withheldAgorot}
              booksAgorot={data.totals.booksWithheldAgorot}
              lines={data.differences.length}
              list={`/invoice/reportfilingdifferences?form=paid&from=${year}-01-01&to=${year}-12-31`}
            />
          )}
          {incomplete > 0 && (
            <Note tone="wait">{t('filings.form856.incomplete', { count: incomplete })}</Note>
          )}
          <DataTable
            label={t('screens.report856')}
            main
            rows={data.rows}
            rowKey={(row) => row.supplierId}
            rowName={(row) => row.name}
            rowHref={(row) =>
              opensPapers(
                'paid',
                { from: `${year}-01-01`, to: `${year}-12-31` },
                { supplier: row.supplierId },
              )
            }
            {...(may && sees ? { selected, onSelect: setSelected } : {})}
            empty={
              <EmptyState icon={Truck} title={t('filings.form856.empty.title')}>
                {t('filings.form856.empty.text')}
              </EmptyState>
            }
            {...(sees
              ? {
                  menu: (row: Payee856) => [
                    {
                      key: 'pdf',
                      label: t('filings.form857.one'),
                      icon: FileText,
                      onPress: () =>
                        file(() => callFile(certificate857, { id: row.supplierId, year }, { open: true })),
                    },
                    ...(may
                      ? [
                          {
                            key: 'send',
                            label: t('filings.form857.sendOne'),
                            icon: Mail,
                            onPress: () => void send([row.supplierId]),
                          },
                        ]
                      : []),
                  ],
                }
              : {})}
            columns={[
              {
                key: 'name',
                title: t('filings.form856.columns.name'),
                strong: true,
                width: 'trim',
                phone: 'title',
                cell: (row) => (
                  <span className="grid min-w-0 py-1.5">
                    <TextCell value={row.name} />
                    <span className="hint text-12">
                      <TextCell
                        value={[
                          row.occupation || t('filings.form856.lacksOccupation'),
                          ...(row.missing.includes('address') ? [t('filings.form856.lacksAddress')] : []),
                        ].join(' · ')}
                      />
                    </span>
                  </span>
                ),
              },
              {
                key: 'taxId',
                title: t('filings.form856.columns.taxId'),
                width: 'fit',
                phone: 'line',
                cell: (row) =>
                  row.taxId ? (
                    <Num>{row.taxId}</Num>
                  ) : (
                    <span className="hint">{t('filings.form856.lacks')}</span>
                  ),
              },
              {
                key: 'kind856',
                title: t('filings.form856.columns.kind856'),
                width: 'fit',
                cell: (row) => <Num>{row.kind856}</Num>,
              },
              {
                key: 'payments',
                title: t('filings.form856.columns.payments'),
                align: 'amount',
                cell: (row) => <NumberCell value={row.payments} />,
              },
              {
                key: 'gross',
                title: t('filings.form856.columns.grossAgorot'),
                align: 'amount',
                cell: (row) => (
                  <MoneyCell value={row.grossAgorot} late={row.grossAgorot !== row.booksGrossAgorot} />
                ),
                foot: <MoneyCell value={data.totals.grossAgorot} zero="show" />,
              },
              {
                key: 'withheld',
                title: t('filings.form856.columns.withheldAgorot'),
                align: 'amount',
                phone: 'amount',
                cell: (row) => <MoneyCell value={row.withheldAgorot} zero="show" />,
                foot: <MoneyCell value={data.totals.withheldAgorot} zero="show" />,
              },
              {
                key: 'books',
                title: t('filings.columns.books'),
                align: 'amount',
                cell: (row) => (
                  <MoneyCell
                    value={row.booksWithheldAgorot}
                    late={row.booksWithheldAgorot !== row.withheldAgorot}
                  />
                ),
                foot: <MoneyCell value={data.totals.booksWithheldAgorot} zero="show" />,
              },
              {
                key: 'balance',
                title: t('filings.form856.columns.balanceAgorot'),
                align: 'amount',
                cell: (row) => <MoneyCell value={row.balanceAgorot} />,
              },
              {
                key: 'given',
                title: t('filings.form857.short'),
                width: 'fit',
                phone: 'state',
                cell: (row) =>
                  row.changedSince ? (
                    <StatusPill tone="wait">{t('filings.form857.changed')}</StatusPill>
                  ) : row.givenAt ? (
                    <StatusPill tone="done">{t('filings.form857.given')}</StatusPill>
                  ) : null,
              },
            ]}
          />
          <Others
            title={t('filings.form856.others')}
            hint={t('filings.form856.othersHint')}
            rows={data.others}
          />
          {!data.layoutKnown && <p className="hint text-13">{t('errors.filings.layoutUnknown')}</p>}
        </>
      )}
    </div>
  )
}
