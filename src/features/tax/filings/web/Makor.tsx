import { FileCheck2, FileX2, ReceiptText } from 'lucide-react'
import { useState } from 'react'
import { dayInJerusalem } from '#domain/day.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell, PercentCell } from '#kit/web/fields/cells.tsx'
import { DayField } from '#kit/web/fields/DayField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  dropCertificate,
  keepCertificate,
  withheldByCustomers,
  type WithholdingCustomer,
} from '../endpoints.ts'
import { BothWays, Missing, Others, useYear } from './shared.tsx'

const refresh = () => queryClient.invalidateQueries({ queryKey: keyOf(withheldByCustomers) })
const tones = { missing: 'wait', got: 'done', differs: 'late' } as const
const sum = (rows: readonly WithholdingCustomer[], of: (row: WithholdingCustomer) => number) =>
  rows.reduce((all, row) => all + of(row), 0)

/** Tax that customers withheld from us, and whose yearly certificate has come. */
export function Screen() {
  const t = useWords()
  const may = useCan()('filings.make')
  const { year, choice } = useYear()
  const { data, error, refetch } = useCall(withheldByCustomers, { year })
  const [keeping, setKeeping] = useState<WithholdingCustomer>()
  const drop = async (row: WithholdingCustomer) => {
    try {
      await call(dropCertificate, { customerId: row.customerId, year })
      await refresh()
    } catch (e) {
      banner.error(failureText(t, e))
    }
  }
  return (
    <div className="fi-stack">
      <PageHeader
        title={t('screens.reportMakor')}
        sub={t('filings.makor.sub')}
        actions={
          <Button
            kind="quiet"
            icon={ReceiptText}
            href={`/invoice/reportmakorreceipts?from=${year}-01-01&to=${year}-12-31`}
          >
            {t('screens.reportMakorReceipts')}
          </Button>
        }
      />
      {choice}
      {!data ? (
        <Missing error={error} retry={() => void refetch()} />
      ) : (
        <>
          {data.rows.length > 0 && (
            <BothWays
              papersAgorot={sum(data.rows, (row) => row.withheldAgorot)}
              booksAgorot={
                sum(data.rows, (row) => row.booksWithheldAgorot) +
                data.others.reduce((all, row) => all + row.amountAgorot, 0)
              }
              lines={data.rows.filter((row) => row.withheldAgorot !== row.booksWithheldAgorot).length}
              list={`/invoice/reportfilingdifferences?form=advances&from=${year}-01-01&to=${year}-12-31`}
            />
          )}
          <DataTable
            label={t('screens.reportMakor')}
            main
            rows={data.rows}
            rowKey={(row) => row.customerId}
            rowName={(row) => row.name}
            rowHref={(row) =>
              `/invoice/reportmakorreceipts?from=${year}-01-01&to=${year}-12-31&customer=${row.customerId}`
            }
            empty={
              <EmptyState icon={ReceiptText} title={t('filings.makor.empty.title')}>
                {t('filings.makor.empty.text')}
              </EmptyState>
            }
            {...(may
              ? {
                  menu: (row: WithholdingCustomer) => [
                    {
                      key: 'keep',
                      label: t('filings.makor.keep'),
                      icon: FileCheck2,
                      onPress: () => setKeeping(row),
                    },
                    ...(row.state === 'missing'
                      ? []
                      : [
                          {
                            key: 'drop',
                            label: t('filings.makor.drop'),
                            icon: FileX2,
                            tone: 'danger' as const,
                            onPress: () => void drop(row),
                          },
                        ]),
                  ],
                }
              : {})}
            columns={[
              {
                key: 'name',
                title: t('filings.columns.customer'),
                strong: true,
                width: 'trim',
                phone: 'title',
                cell: (row) => <bdi>{row.name}</bdi>,
              },
              {
                key: 'taxId',
                title: t('filings.columns.taxId'),
                width: 'fit',
                phone: 'line',
                cell: (row) => row.taxId && <Num>{row.taxId}</Num>,
              },
              ...(data.rows.some((row) => row.withholdsFile)
                ? [
                    {
                      key: 'withholdsFile',
                      title: t('filings.columns.withholdsFile'),
                      width: 'fit' as const,
                      phone: 'line' as const,
                      cell: (row: WithholdingCustomer) => row.withholdsFile && <Num>{row.withholdsFile}</Num>,
                    },
                  ]
                : []),
              {
                key: 'received',
                title: t('filings.columns.received'),
                align: 'amount',
                cell: (row) => <MoneyCell value={row.receivedAgorot} />,
                foot: <MoneyCell value={sum(data.rows, (row) => row.receivedAgorot)} zero="show" />,
              },
              {
                key: 'rate',
                title: t('filings.columns.rate'),
                align: 'amount',
                cell: (row) => <PercentCell value={row.rateBp} />,
              },
              {
                key: 'withheld',
                title: t('filings.columns.withheld'),
                align: 'amount',
                phone: 'amount',
                cell: (row) => <MoneyCell value={row.withheldAgorot} zero="show" />,
                foot: <MoneyCell value={sum(data.rows, (row) => row.withheldAgorot)} zero="show" />,
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
                foot: <MoneyCell value={sum(data.rows, (row) => row.booksWithheldAgorot)} zero="show" />,
              },
              {
                key: 'certificate',
                title: t('filings.columns.certificate'),
                align: 'amount',
                cell: (row) => <MoneyCell value={row.certificateAgorot} />,
              },
              {
                key: 'state',
                title: t('filings.columns.state'),
                width: 'fit',
                phone: 'state',
                cell: (row) => (
                  <span title={row.gotDay ? formatDay(row.gotDay) : undefined}>
                    <StatusPill tone={tones[row.state]}>{t(`filings.makor.state.${row.state}`)}</StatusPill>
                  </span>
                ),
              },
            ]}
          />
          <Others title={t('filings.makor.others')} hint={t('filings.makor.othersHint')} rows={data.others} />
        </>
      )}
      {keeping && <Keep row={keeping} year={year} onClose={() => setKeeping(undefined)} />}
    </div>
  )
}

function Keep({ row, year, onClose }: { row: WithholdingCustomer; year: number; onClose: () => void }) {
  const t = useWords()
  const [withheld, setWithheld] = useState<number | null>(row.certificateAgorot ?? row.withheldAgorot)
  const [gotDate, setGotDate] = useState<string | null>(() => row.gotDay ?? dayInJerusalem(new Date()))
  const save = async () => {
    await call(keepCertificate, {
      customerId: row.customerId,
      year,
      withheldAgorot: withheld ?? 0,
      gotDate: gotDate ?? '',
    })
    await refresh()
    banner.success(t('filings.makor.kept'))
    onClose()
  }
  return (
    <FormDialog
      title={t('filings.makor.keepTitle', { name: row.name })}
      verb={t('kit.forms.save')}
      names={['withheldAgorot', 'gotDate']}
      onClose={onClose}
      onSubmit={save}
    >
      {(refusal) => (
        <>
          <MoneyField
            label={t('filings.columns.certificate')}
            hint={t('filings.makor.certificateHint')}
            value={withheld}
            onChange={setWithheld}
            {...refusal('withheldAgorot', withheld)}
            autoFocus
          />
          <DayField
            label={t('filings.makor.gotDay')}
            value={gotDate}
            onChange={setGotDate}
            {...refusal('gotDate', gotDate)}
          />
        </>
      )}
    </FormDialog>
  )
}
