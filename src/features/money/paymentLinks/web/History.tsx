import { CreditCard, Download, FileText, Link2Off, PenLine } from 'lucide-react'
import { useState } from 'react'
import { statusFacts } from '#domain/documents/facts.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { DataTable, type Column } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePhone } from '#kit/web/parts/useMedia.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pagePdf } from '#features/sales/documents/endpoints.ts'
import { paperName } from '#features/sales/documents/web/index.tsx'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { customerHistory, customerPageLogo, customerPageStatement } from '../endpoints.ts'
import { Holdings, Quotes, ToPay } from './Portal.tsx'
import { pathOf, ToSign } from './ToSign.tsx'
import './paymentLinks.css'

type Page = OutputOf<typeof customerHistory>
type Row = Page['rows'][number]

/** A customer's page: what is to be paid, quotes, cards, orders, bookings and all documents. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.userkey ?? ''
  const asked = useCall(customerHistory, { key })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={customerPageLogo}
      title={() => t('screens.customerHistory')}
      missing={{
        icon: Link2Off,
        title: t('customerPages.notFound'),
        text: t('paymentLinks.pay.notFoundText'),
      }}
    >
      {(data) => <Papers data={data} pageKey={key} />}
    </BusinessPage>
  )
}

function Papers({ data, pageKey: key }: { data: Page; pageKey: string }) {
  const t = useWords()
  const file = useFile()
  const [more, setMore] = useState<{ rows: Row[]; next: string | null }>()
  const [busy, setBusy] = useState(false)
  const phone = usePhone()
  const rows = [...data.rows, ...(more?.rows ?? [])]
  const next = more ? more.next : data.next
  const nameOf = (row: Row) => paperName(t, row)
  const goOn = async () => {
    setBusy(true)
    try {
      const page = await call(customerHistory, { key, before: next! })
      setMore({ rows: [...(more?.rows ?? []), ...page.rows], next: page.next })
    } catch (e) {
      banner.error(failureText(t, e))
    }
    setBusy(false)
  }
  // A card on the phone has no heads of columns to say what a sum is, and room for one sum: what is to be
  // paid comes before the total.
  const leads = (row: Row) => phone && row.dueAgorot > 0
  const word = (key: string) => phone && <span className="pl-word">{t(key)} </span>
  const columns: Column<Row>[] = [
    {
      key: 'document',
      title: t('customerPages.document'),
      strong: true,
      width: 'trim',
      phone: 'title',
      cell: nameOf,
    },
    {
      key: 'date',
      title: t('documents.fields.day'),
      width: 'fit',
      phone: 'line',
      cell: (row) => <Num>{formatDay(row.date)}</Num>,
    },
    {
      key: 'total',
      title: t('customerPages.total'),
      align: 'amount',
      phone: 'amount',
      cell: (row) => (
        <>
          {word(leads(row) ? 'customerPages.due' : 'customerPages.total')}
          <Money amount={leads(row) ? row.dueAgorot : row.totalAgorot} currency={row.currency} />
        </>
      ),
    },
    {
      key: 'due',
      title: t('customerPages.due'),
      align: 'amount',
      phone: 'line',
      cell: (row) =>
        statusFacts(row.status).isCancelled ? (
          t('documents.status.cancelled')
        ) : !phone ? (
          row.dueAgorot > 0 && <Money amount={row.dueAgorot} currency={row.currency} />
        ) : leads(row) && row.dueAgorot !== row.totalAgorot ? (
          <>
            {word('customerPages.total')}
            <Money amount={row.totalAgorot} currency={row.currency} />
          </>
        ) : null,
    },
  ]
  return (
    <>
      <ToPay data={data} pageKey={key} />
      <Quotes data={data} pageKey={key} />
      <ToSign rows={data.toSign} />
      <Holdings data={data} />
      <div className="pl-past">
        <h2>{t('customerPages.past')}</h2>
        <FileButton kind="quiet" size="s" endpoint={customerPageStatement} input={{ key }} open>
          {t('customerPages.statement')}
        </FileButton>
      </div>
      <DataTable
        label={t('screens.customerHistory')}
        rows={rows}
        rowKey={(row) => row.key}
        rowName={nameOf}
        isOff={(row) => statusFacts(row.status).isCancelled}
        rowHref={(row) => `/paymentdoc/${row.key}`}
        columns={columns}
        menu={(row) => [
          ...(row.opening === null
            ? [
                {
                  key: 'pdf',
                  label: t('documents.pay.download'),
                  icon: Download,
                  onPress: () => void file(pagePdf, { key: row.key }),
                },
              ]
            : []),
          ...data.toSign
            .filter(({ documentKey }) => documentKey === row.key)
            .map(({ url }, at) => ({
              key: `sign${at}`,
              label: t('customerPages.sign'),
              icon: PenLine,
              href: pathOf(url),
            })),
          ...(row.dueAgorot > 0
            ? [
                {
                  key: 'pay',
                  label: t('customerPages.pay'),
                  icon: CreditCard,
                  href: `/paymentdoc/${row.key}`,
                },
              ]
            : []),
        ]}
        empty={
          <EmptyState icon={FileText} title={t('customerPages.empty')}>
            {t('customerPages.emptyText')}
          </EmptyState>
        }
      />
      {next && (
        <div>
          <Button busy={busy} onPress={() => void goOn()}>
            {t('customerPages.more')}
          </Button>
        </div>
      )}
    </>
  )
}
