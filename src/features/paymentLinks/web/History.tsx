import { CreditCard, Download, FileText } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '../../../domain/format.ts'
import { call, callFile, failureText, useCall } from '../../../kit/web/call.ts'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { DataTable, type Column } from '../../../kit/web/parts/DataTable.tsx'
import { EmptyState } from '../../../kit/web/parts/EmptyState.tsx'
import { Money } from '../../../kit/web/parts/Figure.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { usePhone } from '../../../kit/web/parts/useMedia.ts'
import { usePlace } from '../../../kit/web/place.ts'
import { useTitle } from '../../../kit/web/router.tsx'
import { banner } from '../../../kit/web/shell/banner.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { pagePdf } from '../../documents/endpoints.ts'
import { paperName } from '../../documents/web/index.tsx'
import type { OutputOf } from '../../../kit/describe/endpoint.ts'
import { customerHistory, customerPageLogo } from '../endpoints.ts'
import { Frame, Nothing } from './Frame.tsx'

type Row = OutputOf<typeof customerHistory>['rows'][number]

/** A customer's own page: his papers, what he owes, and the way to pay. */
export function Screen() {
  const t = useWords()
  const { params } = usePlace()
  const key = params.userkey ?? ''
  const { data, error } = useCall(customerHistory, { key })
  const [more, setMore] = useState<{ rows: Row[]; next: string | null }>()
  const [busy, setBusy] = useState(false)
  const phone = usePhone()
  useTitle(data && `${t('screens.customerHistory')}, ${data.business.name}`)
  if (!data) return <Nothing waits={!error} title={t('customerPages.notFound')} text={t('paymentLinks.pay.notFoundText')} />
  const rows = [...data.rows, ...(more?.rows ?? [])]
  const next = more ? more.next : data.next
  const nameOf = (row: Row) => paperName(t, row)
  const pdf = (row: Row) => void callFile(pagePdf, { key: row.key }).catch((e: unknown) => banner.error(failureText(t, e)))
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
  // A card on the phone has no heads of columns to say what a sum is.
  const word = (key: string) => phone && <span className="pl-word">{t(key)} </span>
  const columns: Column<Row>[] = [
    { key: 'document', title: t('customerPages.document'), strong: true, width: 'trim', phone: 'title', cell: nameOf },
    { key: 'date', title: t('documents.fields.day'), width: 'fit', phone: 'line', cell: (row) => <Num>{formatDay(row.date)}</Num> },
    {
      key: 'total',
      title: t('customerPages.total'),
      align: 'amount',
      phone: 'amount',
      cell: (row) => (
        <>
          {word('customerPages.total')}
          <Money amount={row.totalAgorot} currency={row.currency} />
        </>
      ),
    },
    {
      key: 'due',
      title: t('customerPages.due'),
      align: 'amount',
      phone: 'line',
      cell: (row) =>
        row.status === 'cancelled' ? (
          t('documents.status.cancelled')
        ) : row.dueAgorot > 0 ? (
          <>
            {word('customerPages.due')}
            <Money amount={row.dueAgorot} currency={row.currency} />
          </>
        ) : null,
    },
  ]
  return (
    <Frame of={data} logo={customerPageLogo} keyPart={key}>
      <section className="pl-sum" aria-label={t('screens.customerHistory')}>
        <h1>
          {t('customerPages.title')} <bdi>{data.customer}</bdi>
        </h1>
        <p className="sum">
          <Money amount={Math.abs(data.openAgorot)} />
        </p>
        <p className="sub">
          {t(data.openAgorot > 0 ? 'customerPages.owes' : data.openAgorot < 0 ? 'customerPages.credit' : 'customerPages.even')}
        </p>
      </section>
      <DataTable
        label={t('screens.customerHistory')}
        rows={rows}
        rowKey={(row) => row.key}
        rowName={nameOf}
        isOff={(row) => row.status === 'cancelled'}
        rowHref={(row) => `/paymentdoc/${row.key}`}
        columns={columns}
        menu={(row) => [
          ...(row.opening === null ? [{ key: 'pdf', label: t('documents.pay.download'), icon: Download, onPress: () => pdf(row) }] : []),
          ...(row.dueAgorot > 0 ? [{ key: 'pay', label: t('customerPages.pay'), icon: CreditCard, href: `/paymentdoc/${row.key}` }] : []),
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
    </Frame>
  )
}
