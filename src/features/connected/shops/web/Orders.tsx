import { Link } from 'react-aria-components/Link'
import { Hand, Inbox, RotateCcw } from 'lucide-react'
import { useState } from 'react'
import { formatDay, withCurrency } from '#domain/format.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { pagePath } from '#features/sales/documents/types/index.ts'
import {
  againOrder,
  getOrder,
  ignoreOrder,
  listOrders,
  type Order,
  type OrderWhole,
  type Shop,
} from '../endpoints.ts'
import { OrderState, paperText, refresh, useTroubleText } from './says.tsx'

const states = ['all', 'trouble', 'issued', 'new', 'ignored'] as const
type State = (typeof states)[number]

export function Orders({ shop }: { shop: Shop }) {
  const t = useWords()
  const troubleText = useTroubleText()
  const [state, setState] = useState<State>(shop.counts.trouble ? 'trouble' : 'all')
  const [search, setSearch] = useState('')
  const [pages, setPages] = useState<string[]>([])
  const [shown, setShown] = useState<string>()
  const before = pages.at(-1)
  const { data, error, isLoading, refetch } = useCall(
    listOrders,
    {
      id: shop.id,
      ...(state === 'all' ? {} : { state }),
      ...(search.trim() ? { search: search.trim() } : {}),
      ...(before ? { before } : {}),
    },
    { staleTime: 0, placeholderData: (old) => old },
  )
  return (
    <>
      <div className="sh-tools">
        <ChoiceField<State>
          label={t('shops.fields.state')}
          value={state}
          onChange={(next) => {
            setState(next ?? 'all')
            setPages([])
          }}
          choices={states.map((value) => ({ value, label: t(`shops.order.${value}`) }))}
        />
        <TextField
          label={t('shops.search')}
          type="search"
          value={search}
          max={80}
          onChange={(next) => {
            setSearch(next)
            setPages([])
          }}
        />
      </div>
      <DataTable
        label={t('shops.tabs.orders')}
        main
        rows={data?.rows ?? []}
        rowKey={(row) => row.id}
        rowName={(row) => row.number}
        loading={isLoading}
        onOpen={(row) => setShown(row.id)}
        empty={
          error ? (
            <Failed error={error} onRetry={refetch} />
          ) : (
            <EmptyState
              icon={Inbox}
              title={t(state === 'trouble' ? 'shops.noTrouble.title' : 'shops.noOrders.title')}
            >
              {t(state === 'trouble' ? 'shops.noTrouble.text' : 'shops.noOrders.text')}
            </EmptyState>
          )
        }
        columns={[
          {
            key: 'number',
            title: t('shops.fields.number'),
            strong: true,
            width: 'fit',
            cell: (row) => <Num>{row.number}</Num>,
            phone: 'title',
          },
          {
            key: 'paidDay',
            title: t('shops.fields.paidDay'),
            width: 'fit',
            cell: (row) => row.paidDay && <Num>{formatDay(row.paidDay)}</Num>,
            phone: 'line',
          },
          {
            key: 'customer',
            title: t('shops.fields.customer'),
            width: 'trim',
            cell: (row) => <TextCell value={row.customer} />,
            phone: 'line',
          },
          {
            key: 'outcome',
            title: t('shops.fields.outcome'),
            width: 'trim',
            cell: (row) =>
              row.trouble ? (
                troubleText(row)
              ) : row.document ? (
                <bdi>{paperText(t, row.document)}</bdi>
              ) : row.ignoredWhy ? (
                t(`shops.ignored.${row.ignoredWhy}`)
              ) : (
                ''
              ),
          },
          {
            key: 'total',
            title: t('shops.fields.totalAgorot'),
            width: 'fit',
            align: 'amount',
            cell: (row) => <MoneyCell value={row.totalAgorot} currency={row.currency} />,
            phone: 'amount',
          },
          {
            key: 'state',
            title: t('shops.fields.state'),
            width: 'fit',
            cell: (row) => <OrderState of={row} />,
            phone: 'state',
          },
        ]}
      />
      {(pages.length > 0 || data?.before) && (
        <div className="sh-buttons">
          {pages.length > 0 && (
            <Button onPress={() => setPages(pages.slice(0, -1))}>{t('shops.newer')}</Button>
          )}
          {data?.before && (
            <Button onPress={() => setPages([...pages, data.before!])}>{t('shops.older')}</Button>
          )}
        </div>
      )}
      {shown && <OrderSheet shopId={shop.id} id={shown} onClose={() => setShown(undefined)} />}
    </>
  )
}

/** One order: what is wrong and what helps, its document, what went back. */
function OrderSheet({ shopId, id, onClose }: { shopId: string; id: string; onClose: () => void }) {
  const t = useWords()
  const may = useCan()
  const { data, error } = useCall(getOrder, { id }, { staleTime: 0 })
  const [busy, setBusy] = useState(false)
  const [leaving, setLeaving] = useState(false)
  const isBad = !!data && (data.state === 'trouble' || data.hasRefundTrouble)
  const again = async () => {
    setBusy(true)
    try {
      const now = await call(againOrder, { id: shopId, orderId: id })
      await refresh()
      if (now.state === 'trouble' || now.hasRefundTrouble) banner.error(t('shops.stillTrouble'))
      else banner.success(t('shops.againDone'))
    } catch (e) {
      banner.error(failureText(t, e))
    } finally {
      setBusy(false)
    }
  }
  return (
    <SideSheet
      isOpen
      size="l"
      onClose={onClose}
      title={data ? t('shops.orderTitle', { number: data.number }) : t('shops.tabs.orders')}
      actions={
        data &&
        may('documents.issue') && (
          <>
            {isBad && (
              <Button icon={Hand} onPress={() => setLeaving(true)}>
                {t('shops.ignore')}
              </Button>
            )}
            {(isBad || data.state === 'ignored' || data.state === 'mapped') && (
              <Button kind="primary" icon={RotateCcw} busy={busy} onPress={() => void again()}>
                {t('shops.again')}
              </Button>
            )}
          </>
        )
      }
    >
      {error ? (
        <Note tone="late">{failureText(t, error)}</Note>
      ) : data ? (
        <Whole of={data} />
      ) : (
        <Skeleton lines={6} />
      )}
      {leaving && <IgnoreDialog shopId={shopId} id={id} onClose={() => setLeaving(false)} />}
    </SideSheet>
  )
}

function Whole({ of: order }: { of: OrderWhole }) {
  const t = useWords()
  const { lang } = useLanguage()
  const troubleText = useTroubleText()
  const hides = useSession()?.HideTotalPrices ?? false
  const money = (agorot: number) => (hides ? '' : withCurrency(agorot, order.currency, lang))
  const paper = (of: OrderWhole['document']) =>
    of && (
      <Link className="aim" href={pagePath(of.type, of.id)}>
        <bdi>{paperText(t, of)}</bdi>
      </Link>
    )
  const facts = {
    state: <OrderState of={order} />,
    ...(order.paidDay ? { paidDay: <Num>{formatDay(order.paidDay)}</Num> } : {}),
    ...(order.customer ? { customer: <bdi>{order.customer}</bdi> } : {}),
    ...(hides ? {} : { totalAgorot: <Num>{money(order.totalAgorot)}</Num> }),
    ...(order.giftCardAgorot ? { giftCardAgorot: <Num>{money(order.giftCardAgorot)}</Num> } : {}),
    ...(order.refundedAgorot ? { refundedAgorot: <Num>{money(order.refundedAgorot)}</Num> } : {}),
    ...(order.document ? { document: paper(order.document) } : {}),
    ...(order.receipt ? { receipt: paper(order.receipt) } : {}),
    externalId: <Num>{order.externalId}</Num>,
  }
  return (
    <div className="sh-form">
      {order.trouble && (
        <Note tone="wait">
          {troubleText(order)} {t(`shops.remedy.${order.trouble}`)}
        </Note>
      )}
      {order.ignoredWhy && (
        <Note tone="info">
          {[t(`shops.ignored.${order.ignoredWhy}`), order.note].filter(Boolean).join(': ')}
        </Note>
      )}
      <dl className="sh-facts">
        {Object.entries(facts).map(([word, value]) => (
          <div key={word}>
            <dt>{t(`shops.fields.${word}`)}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <section>
        <h3>{t('shops.lines')}</h3>
        <ul className="sh-lines">
          {order.lines.map((line, i) => (
            <li key={i}>
              <bdi>
                {line.name} × {line.quantity}
              </bdi>
              {!hides && <Num>{money(line.totalAgorot)}</Num>}
            </li>
          ))}
        </ul>
      </section>
      {order.refunds.length > 0 && (
        <section>
          <h3>{t('shops.refunds')}</h3>
          <ul className="sh-lines">
            {order.refunds.map((refund) => (
              <li key={refund.id}>
                <span>
                  {[refund.day ? formatDay(refund.day) : '', refund.reason].filter(Boolean).join(' · ') ||
                    refund.externalId}{' '}
                  {refund.credit ? paper(refund.credit) : <RefundState of={refund} />}
                  {refund.trouble && (
                    <>
                      <br />
                      <span className="hint">
                        {troubleText({ ...refund, currency: order.currency })}{' '}
                        {t(`shops.remedy.${refund.trouble}`)}
                      </span>
                    </>
                  )}
                </span>
                {!hides && <Num>{money(-refund.amountAgorot)}</Num>}
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}

function RefundState({ of: { state } }: { of: OrderWhole['refunds'][number] }) {
  const t = useWords()
  const word: Order['state'] = state === 'new' ? 'mapped' : state
  return <StatusPill tone={state === 'trouble' ? 'wait' : 'plain'}>{t(`shops.order.${word}`)}</StatusPill>
}

function IgnoreDialog({ shopId, id, onClose }: { shopId: string; id: string; onClose: () => void }) {
  const t = useWords()
  const [note, setNote] = useState('')
  return (
    <FormDialog
      title={t('shops.ignore')}
      verb={t('shops.ignore')}
      names={['note']}
      onClose={onClose}
      onSubmit={async () => {
        await call(ignoreOrder, { id: shopId, orderId: id, note })
        await refresh()
        onClose()
      }}
    >
      {(error) => (
        <LongText
          label={t('shops.fields.note')}
          hint={t('shops.hints.note')}
          value={note}
          onChange={setNote}
          max={300}
          {...error('note', note)}
        />
      )}
    </FormDialog>
  )
}
