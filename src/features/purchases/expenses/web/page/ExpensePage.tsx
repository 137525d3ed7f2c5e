import { Ban, Copy, FileText, Repeat, Undo2, Wallet } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { daysLate } from '#domain/documents/due.ts'
import { formatDay, formatMoment, formatMoney, formatPeriod } from '#domain/format.ts'
import { cardPlaces } from '#kit/describe/cards.ts'
import { askAbout } from '#kit/web/routes/askAbout.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { useToday } from '#kit/web/hooks/clock.ts'
import { Figures as Figs, MoneyCell, TextCell } from '#kit/web/fields/cells.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { DataTable } from '#kit/web/parts/DataTable.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Figure, Figures, Money } from '#kit/web/parts/Figure.tsx'
import { HistoryList } from '#kit/web/parts/HistoryList.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { Views } from '#kit/web/parts/Views.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { useVatPeriods } from '#features/base/companies/web/index.tsx'
import { EntryTable } from '#features/base/ledger/web/index.tsx'
import { pagePath } from '#features/sales/documents/types/index.ts'
import { documentName } from '#features/sales/documents/web/index.tsx'
import { FilesPanel } from '#features/base/files/web/index.tsx'
import {
  cancelExpensePayment,
  entriesOfExpense,
  historyOfExpense,
  type ExpenseAnswer,
} from '../../endpoints.ts'
import { refreshExpenses } from '../actions.ts'
import { Warnings } from '../form/Warnings.tsx'
import { PaperView } from '../PaperView.tsx'
import { ExpenseState } from '../state.tsx'
import { CancelDialog, PayDialog } from './Dialogs.tsx'
import '../expenses.css'

const tabs = ['lines', 'entries', 'payments', 'files', 'history'] as const
type Tab = (typeof tabs)[number]

/** A posted expense: its values, its entries, its payments, its document. */
export function ExpensePage({ expense: e }: { expense: ExpenseAnswer }) {
  const t = useWords()
  const today = useToday()
  const periodOn = useVatPeriods()
  const may = useCan()
  const hides = useSession()?.HideTotalPrices ?? false
  const { query, setQuery } = usePlace()
  const sees = may('expenses.see')
  const shownTabs = tabs.filter((tab) => sees || tab === 'lines' || tab === 'history')
  const places = cardPlaces('expenses', shownTabs)
  const asView = (key: string) => ({ key: key as Tab, label: t(`expenses.page.tab.${key}`) })
  const tab: Tab = (shownTabs as readonly string[]).includes(query.tab ?? '') ? (query.tab as Tab) : 'lines'
  const [paying, setPaying] = useState(false)
  const [cancelling, setCancelling] = useState(false)
  const late = e.dueDate && e.openAgorot > 0 ? daysLate(e.dueDate, today) : 0
  const mayApprove = may('expenses.approve')
  // The person who pays suppliers sees there what tax is withheld, and may pay several bills at once.
  const payHref =
    e.supplierId && may('supplierPayments.change')
      ? `/invoice/supplierpayments/${e.supplierId}?expense=${e.id}`
      : undefined
  const pay = () => (payHref ? go(payHref) : setPaying(true))
  const title = e.supplierName ?? (e.details || e.lines[0]?.typeName) ?? ''
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('expenses.title'), href: sees ? '/invoice/Expenses' : '/invoiceexp/Expenses' }]}
        title={
          <>
            {title} {e.supplierNumber && <Num>{e.supplierNumber}</Num>}
          </>
        }
        status={
          <ExpenseState
            of={{
              state: e.state,
              openAgorot: e.openAgorot,
              totalAgorot: e.owedAgorot,
              dueDay: e.dueDate,
              movesOn: e.movesOn,
            }}
          />
        }
        sub={
          <>
            {t(`expenses.paper.${e.paper}`)} · <Num>{formatDay(e.date)}</Num>
            {e.supplierId && may('suppliers.see') && (
              <>
                {' · '}
                <Link className="link" href={`/invoice/suppliers/${e.supplierId}`}>
                  {t('expenses.page.supplierCard')}
                </Link>
              </>
            )}
            {e.document && may('documents.see') && (
              <>
                {' · '}
                {t('expenses.page.ofDocument')}{' '}
                <Link className="link" href={pagePath(e.document.type, e.document.id)}>
                  {documentName(t, e.document.type, e.document.number)}
                </Link>
              </>
            )}
          </>
        }
        actions={
          e.state === 'approved' &&
          e.openAgorot !== 0 &&
          mayApprove && (
            <Button kind="primary" icon={Wallet} onPress={pay}>
              {t('expenses.actions.pay')}
            </Button>
          )
        }
        more={[
          ...(may('expenses.enter')
            ? [
                {
                  key: 'again',
                  label: t('expenses.actions.again'),
                  icon: Copy,
                  onPress: () => go(`/invoice/Expenses/all/new?copy=${e.id}`),
                },
              ]
            : []),
          ...askAbout(t, {
            path: `/invoice/Expenses/all/${e.id}`,
            what: [e.supplierName, e.supplierNumber, formatDay(e.date)].filter(Boolean).join(' · '),
            day: e.date,
            sumAgorot: e.totalAgorot,
          }),
          // What came with a document goes with it.
          ...(e.state === 'approved' && mayApprove && !e.document
            ? ([
                'line',
                {
                  key: 'cancel',
                  label: t('expenses.actions.cancel'),
                  icon: Undo2,
                  m: true,
                  tone: 'danger',
                  onPress: () => setCancelling(true),
                },
              ] as const)
            : []),
        ]}
      />
      <div className="ex-desk" data-alone={e.files.length > 0 ? undefined : ''}>
        <div className="ex-tabs">
          {e.state === 'cancelled' && (
            <Note tone="wait" icon={Ban}>
              {t('expenses.page.cancelledBecause')} <bdi>{e.reason}</bdi>
            </Note>
          )}
          {e.state === 'approved' && <Warnings warnings={e.warnings} />}
          {!hides && (
            <Figures label={t('expenses.page.figures')}>
              <Figure
                label={t('expenses.fields.totalAgorot')}
                value={<Money amount={e.paperTotalAgorot} currency={e.currency} />}
                size="s"
                note={
                  e.owedAgorot !== e.totalAgorot ? (
                    <>
                      {t('expenses.form.toSupplier')} <Money amount={e.owedAgorot} />
                    </>
                  ) : e.currency === 'ILS' ? undefined : (
                    <Money amount={e.totalAgorot} />
                  )
                }
              />
              <Figure
                label={t('expenses.fields.recognisedVatAgorot')}
                amount={e.recognisedVatAgorot}
                exact
                size="s"
                note={
                  e.recognisedVatAgorot !== 0 && periodOn ? (
                    <>
                      {t('expenses.page.inPeriod')} <Num>{formatPeriod(periodOn(e.vatDate))}</Num>
                    </>
                  ) : undefined
                }
              />
              <Figure
                label={t('expenses.fields.openAgorot')}
                amount={e.openAgorot}
                exact
                size="s"
                {...(late > 0
                  ? {
                      tone: 'late' as const,
                      note: t('documents.state.late', { days: late }),
                      noteTone: 'late' as const,
                    }
                  : e.dueDate && e.openAgorot !== 0
                    ? {
                        note: (
                          <>
                            {t('expenses.page.until')} <Num>{formatDay(e.dueDate)}</Num>
                          </>
                        ),
                      }
                    : {})}
              />
            </Figures>
          )}
          <Views
            label={t('expenses.page.parts')}
            value={tab}
            onChange={(next) => setQuery({ tab: next === 'lines' ? undefined : next })}
            controls="expense-part"
            views={places.tabs.map(({ key }) => asView(key))}
            more={places.more.map(asView)}
          />
          <div id="expense-part" role="tabpanel" aria-label={t(`expenses.page.tab.${tab}`)}>
            {tab === 'lines' ? (
              <LinesTab e={e} hides={hides} />
            ) : tab === 'entries' ? (
              <Entries id={e.id} />
            ) : tab === 'payments' ? (
              <Payments e={e} mayApprove={mayApprove} onPay={pay} />
            ) : tab === 'files' ? (
              <FilesPanel entity="expenses" id={e.id} mayChange={may('expenses.enter')} />
            ) : (
              <History id={e.id} />
            )}
          </div>
        </div>
        {e.files.length > 0 && (
          <aside className="ex-side" aria-label={t('expenses.form.beside')}>
            <PaperView files={e.files} />
          </aside>
        )}
      </div>
      {paying && <PayDialog expense={e} onClose={() => setPaying(false)} />}
      {cancelling && <CancelDialog expense={e} onClose={() => setCancelling(false)} />}
    </>
  )
}

function LinesTab({ e, hides }: { e: ExpenseAnswer; hides: boolean }) {
  const t = useWords()
  const facts: [string, React.ReactNode][] = [
    ...(e.allocationNumber
      ? [
          [t('expenses.fields.allocationNumber'), <Num key="n">{e.allocationNumber}</Num>] as [
            string,
            React.ReactNode,
          ],
        ]
      : []),
    ...(e.supplierTaxId
      ? [[t('suppliers.fields.taxId'), <Num key="x">{e.supplierTaxId}</Num>] as [string, React.ReactNode]]
      : []),
    ...(e.details
      ? [[t('expenses.fields.details'), <bdi key="d">{e.details}</bdi>] as [string, React.ReactNode]]
      : []),
    ...(e.booksDate && e.booksDate !== e.date
      ? [
          [t('expenses.page.booksDate'), <Num key="b">{formatDay(e.booksDate)}</Num>] as [
            string,
            React.ReactNode,
          ],
        ]
      : []),
    ...(e.currency === 'ILS'
      ? []
      : [
          [t('expenses.form.rate'), <Num key="r">{e.rate.replace(/\.?0+$/, '')}</Num>] as [
            string,
            React.ReactNode,
          ],
        ]),
    [t('expenses.fields.means'), t(`expenses.means.${e.means}`)],
    ...(e.enteredBy
      ? [[t('expenses.page.enteredBy'), <bdi key="e">{e.enteredBy}</bdi>] as [string, React.ReactNode]]
      : []),
    ...(e.approvedAt
      ? [
          [
            t('expenses.page.approvedBy'),
            <span key="a">
              {e.approvedBy && <bdi>{e.approvedBy} · </bdi>}
              <Num>{formatMoment(new Date(e.approvedAt))}</Num>
            </span>,
          ] as [string, React.ReactNode],
        ]
      : []),
    ...(e.notes
      ? [[t('expenses.form.notes'), <bdi key="o">{e.notes}</bdi>] as [string, React.ReactNode]]
      : []),
  ]
  return (
    <div className="grid gap-4">
      <DataTable
        label={t('expenses.page.tab.lines')}
        rows={e.lines}
        rowKey={(line) => String(line.line)}
        columns={[
          {
            key: 'type',
            title: t('expenses.fields.typeId'),
            strong: true,
            width: 'trim',
            phone: 'title',
            cell: (line) => <TextCell value={[line.typeName, line.details].filter(Boolean).join(' · ')} />,
          },
          {
            key: 'account',
            title: t('expenses.page.account'),
            width: 'fit',
            phone: 'line',
            cell: (line) => (
              <span title={line.accountName}>
                <Num>{line.accountNumber}</Num>
              </span>
            ),
          },
          ...(hides
            ? []
            : ([
                {
                  key: 'net',
                  title: t('expenses.fields.netAgorot'),
                  align: 'amount',
                  cell: (line: Line) => <MoneyCell value={line.netAgorot} />,
                  foot: <Figs text={formatMoney(e.paperNetAgorot)} />,
                },
                {
                  key: 'vat',
                  title: t('expenses.fields.vatAgorot'),
                  align: 'amount',
                  cell: (line: Line) => <MoneyCell value={line.vatAgorot} zero="blank" />,
                  foot: <Figs text={formatMoney(e.paperVatAgorot)} />,
                },
                {
                  key: 'recognised',
                  title: t('expenses.page.recognised'),
                  align: 'amount',
                  cell: (line: Line) => <MoneyCell value={line.recognisedVatAgorot} zero="blank" />,
                  foot: <Figs text={formatMoney(e.recognisedVatAgorot)} />,
                },
                {
                  key: 'total',
                  title: t('expenses.form.total'),
                  align: 'amount',
                  phone: 'amount',
                  cell: (line: Line) => <MoneyCell value={line.netAgorot + line.vatAgorot} />,
                  foot: <Figs text={formatMoney(e.paperTotalAgorot)} />,
                },
              ] as const)),
        ]}
      />
      <Card label={t('expenses.page.facts')}>
        <dl className="ex-facts">
          {facts.map(([word, value]) => (
            <div key={word}>
              <dt>{word}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </Card>
    </div>
  )
}
type Line = ExpenseAnswer['lines'][number]

function Entries({ id }: { id: string }) {
  const t = useWords()
  return (
    <EntryTable
      label={t('expenses.page.tab.entries')}
      texts={{
        account: t('expenses.page.account'),
        accountName: t('expenses.page.accountName'),
        debit: t('expenses.page.debit'),
        credit: t('expenses.page.credit'),
        none: t('expenses.page.noEntries'),
      }}
      answer={useCall(entriesOfExpense, { id })}
      first={[
        {
          key: 'day',
          title: t('expenses.fields.day'),
          width: 'fit',
          cell: (row) => <Num>{formatDay(row.day)}</Num>,
          phone: 'line',
        },
        {
          key: 'kind',
          title: t('expenses.page.kind'),
          width: 'fit',
          cell: (row) => t(`ledger.kinds.${row.kind}`),
        },
      ]}
    />
  )
}

function Payments({ e, mayApprove, onPay }: { e: ExpenseAnswer; mayApprove: boolean; onPay: () => void }) {
  const t = useWords()
  const canPay = mayApprove && e.state === 'approved' && e.openAgorot !== 0
  const undo = async (paymentId: string) => {
    try {
      await call(cancelExpensePayment, { id: e.id, paymentId })
      await refreshExpenses()
      banner.success(t('expenses.saved.paymentCancelled'))
    } catch (failure) {
      banner.error(failureText(t, failure))
    }
  }
  return (
    <Card label={t('expenses.page.tab.payments')}>
      {e.payments.length === 0 ? (
        <EmptyState
          icon={Wallet}
          title={t('expenses.page.notPaid')}
          actions={canPay && <Button onPress={onPay}>{t('expenses.actions.pay')}</Button>}
        />
      ) : (
        <Rows>
          {e.payments.map((one) => (
            <div key={one.id}>
              <span className="k-tile">
                <Icon of={Wallet} />
              </span>
              <span className="grow">
                <span className="t">{t(`expenses.means.${one.means}`)}</span>
                <span className="s">
                  <Num>{formatDay(one.day)}</Num>
                  {one.reference && (
                    <>
                      {' · '}
                      <Num>{one.reference}</Num>
                    </>
                  )}
                </span>
              </span>
              {one.cancelled && <StatusPill tone="draft">{t('expenses.page.paymentCancelled')}</StatusPill>}
              <Money amount={one.amountAgorot} />
              {mayApprove && !one.cancelled && !one.atOnce && e.state === 'approved' && (
                <Button
                  kind="quiet"
                  size="s"
                  icon={Undo2}
                  m
                  label={t('expenses.actions.cancelPayment')}
                  onPress={() => void undo(one.id)}
                />
              )}
            </div>
          ))}
        </Rows>
      )}
    </Card>
  )
}

function History({ id }: { id: string }) {
  const t = useWords()
  const { data, isLoading } = useCall(historyOfExpense, { id })
  if (isLoading) return <Skeleton />
  return (
    <HistoryList
      label={t('expenses.page.tab.history')}
      lines={(data?.rows ?? []).toReversed().map(({ action, who, at }) => ({
        icon: action.endsWith('cancel') ? Undo2 : action.includes('recurring') ? Repeat : FileText,
        title: t(`companies.audit.${action}`),
        who,
        at,
      }))}
    />
  )
}
