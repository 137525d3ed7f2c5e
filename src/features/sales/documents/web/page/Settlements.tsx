import { Link2Off, Plus } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { statusFacts } from '#domain/documents/facts.ts'
import { formatDay } from '#domain/format.ts'
import { call, failureText, fieldErrors, useCall } from '#kit/web/calls/call.ts'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { Dialog, Question } from '#kit/web/parts/Dialog.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { paymentMeansById } from '#domain/documents/kinds.ts'
import { brandWord } from '#features/base/companies/means.ts'
import {
  openItems,
  settleDocument,
  unsettleDocument,
  type DocumentAnswer,
  type OpenItem,
} from '../../endpoints.ts'
import { pagePath, typeById } from '../../types/index.ts'
import { refreshDocuments } from './actions.tsx'
import { meansIcons } from '../editor/meansIcons.ts'
import { itemName, paperName } from '../words.ts'
import type { DialogOf } from './Dialogs.tsx'
import { TakeList } from './TakeList.tsx'

type Settlement = DocumentAnswer['settlements'][number]

/** Whether a document has to do with money that came or is awaited. */
export const saysMoney = (document: DocumentAnswer): boolean =>
  document.payments.length > 0 ||
  document.settlements.length > 0 ||
  (document.totals.openInCurrencyAgorot !== 0 && !statusFacts(document.status).isCancelled)

/** How it was paid, what closed it or what it closed, and the ways to change that. */
export function Settlements({ document }: { document: DocumentAnswer }) {
  const t = useWords()
  const may = useCan()
  const [settling, setSettling] = useState(false)
  const [dropping, setDropping] = useState<Settlement>()
  const [problem, setProblem] = useState<string>()
  const open = document.totals.openInCurrencyAgorot
  const asks = typeById(document.type)?.asks ?? false
  // A debt may take money, money may close a debt: whatever is open and not cancelled.
  const canSettle =
    may('documents.issue') &&
    open !== 0 &&
    document.customerId !== null &&
    !statusFacts(document.status).isCancelled
  const isMoney = document.isOpening
    ? document.totals.totalAgorot > 0
    : open < 0 || (typeById(document.type)?.debt ?? 0) < 0
  const drop = async (settlement: Settlement) => {
    try {
      await call(unsettleDocument, { id: document.id, settlementId: settlement.id })
      await refreshDocuments()
      setProblem(undefined)
    } catch (e) {
      setProblem(failureText(t, e))
    }
  }
  return (
    <div className="grid gap-4">
      {document.payments.length > 0 && (
        <Card title={t('documents.money.title')}>
          <Rows label={t('documents.money.title')}>
            {document.payments.map((one) => {
              const means = paymentMeansById(one.means) ?? 'other'
              const facts = [
                one.number &&
                  t(means === 'cheque' ? 'documents.settle.chequeNo' : 'documents.settle.voucherNo', {
                    number: one.number,
                  }),
                one.cardBrand && brandWord(one.cardBrand, t),
                one.cardLast4 && `••${one.cardLast4}`,
                one.instalments && one.instalments > 1
                  ? t('documents.settle.instalments', { count: one.instalments })
                  : '',
                one.reference,
              ].filter(Boolean)
              return (
                <div key={one.id}>
                  <span className="k-tile">
                    <Icon of={meansIcons[means]} />
                  </span>
                  <span className="grow">
                    <span className="t">{t(`documents.means.${means}`)}</span>
                    <span className="s">
                      <Num>{formatDay(means === 'cheque' ? one.dueDate : one.date)}</Num>
                      {facts.map((fact, i) => (
                        <span key={i}>
                          {' · '}
                          <bdi>{fact}</bdi>
                        </span>
                      ))}
                    </span>
                  </span>
                  <Money amount={one.amountAgorot} currency={document.currency} />
                </div>
              )
            })}
          </Rows>
        </Card>
      )}
      {(document.settlements.length > 0 || canSettle) && (
        <Card
          title={t(
            isMoney
              ? 'documents.settle.closes'
              : asks
                ? 'documents.settle.answered'
                : 'documents.settle.paidBy',
          )}
          {...(canSettle
            ? {
                end: (
                  <Button kind="quiet" size="s" icon={Plus} onPress={() => setSettling(true)}>
                    {t(isMoney ? 'documents.settle.addDebt' : 'documents.settle.addMoney')}
                  </Button>
                ),
              }
            : {})}
        >
          {problem && <Note tone="late">{problem}</Note>}
          {document.settlements.length === 0 ? (
            <p className="hint">{t(isMoney ? 'documents.settle.noDebt' : 'documents.settle.noMoney')}</p>
          ) : (
            <Rows>
              {document.settlements.map((one) => {
                const name = paperName(t, one)
                // An answer to a request for money is no settlement: it goes with the paper that gave it.
                const isAnswer = asks || (typeById(one.type)?.asks ?? false)
                return (
                  <div key={one.id}>
                    <span className="grow">
                      <Link className="t link aim" href={pagePath(one.type, one.documentId)}>
                        {name}
                      </Link>
                      <span className="s">
                        <Num>{formatDay(one.date)}</Num>
                      </span>
                    </span>
                    <Money amount={one.amountAgorot} currency={document.currency} />
                    {may('documents.issue') && !isAnswer && (
                      <Button
                        kind="quiet"
                        size="s"
                        icon={Link2Off}
                        label={t('documents.settle.drop', { name })}
                        onPress={() => setDropping(one)}
                      />
                    )}
                  </div>
                )
              })}
            </Rows>
          )}
          {open !== 0 && (
            <p className="doc-account mt-3">
              {t(isMoney ? 'documents.closes.onAccount' : 'documents.settle.left')}{' '}
              <b>
                <Money amount={Math.abs(open)} currency={document.currency} />
              </b>
            </p>
          )}
        </Card>
      )}
      {settling && <SettleDialog document={document} isMoney={isMoney} onClose={() => setSettling(false)} />}
      <Question
        isOpen={dropping !== undefined}
        onClose={() => setDropping(undefined)}
        title={t('documents.settle.dropAsk', { name: dropping ? paperName(t, dropping) : '' })}
        verb={t('documents.settle.dropDo')}
        onConfirm={async () => {
          if (dropping) await drop(dropping)
          setDropping(undefined)
        }}
      >
        {t('documents.settle.dropText')}
      </Question>
    </div>
  )
}

/** Money on account or a credit against a debt, from either side. */
function SettleDialog({ document, isMoney, onClose }: DialogOf & { isMoney: boolean }) {
  const t = useWords()
  const { data } = useCall(openItems, { customerId: document.customerId ?? '' }, { staleTime: 0 })
  const own = Math.abs(document.totals.openInCurrencyAgorot)
  const items = (data?.rows ?? []).filter(
    (item) => item.id !== document.id && !item.asks && item.openInCurrencyAgorot > 0 === isMoney,
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      form
      title={t(isMoney ? 'documents.settle.addDebt' : 'documents.settle.addMoney')}
    >
      {!data ? (
        <Skeleton lines={2} />
      ) : items.length === 0 ? (
        <p className="sub">{t(isMoney ? 'documents.settle.noOpenDebt' : 'documents.settle.noOpenMoney')}</p>
      ) : (
        <TakeList
          label={t(isMoney ? 'documents.settle.addDebt' : 'documents.settle.addMoney')}
          head={t('documents.settle.sumHead')}
        >
          {items.map((item) => (
            <SettleRow
              key={item.id}
              document={document}
              item={item}
              own={own}
              isMoney={isMoney}
              onDone={onClose}
            />
          ))}
        </TakeList>
      )}
    </Dialog>
  )
}

interface SettleRowProps {
  document: DocumentAnswer
  item: OpenItem
  own: number
  isMoney: boolean
  onDone: () => void
}

function SettleRow({ document, item, own, isMoney, onDone }: SettleRowProps) {
  const t = useWords()
  const theirs = Math.abs(item.openInCurrencyAgorot)
  const same = item.currency === document.currency
  const [amount, setAmount] = useState<number | null>(same ? Math.min(own, theirs) : null)
  const [other, setOther] = useState<number | null>(null)
  const [said, setSaid] = useState<string>()
  const [busy, setBusy] = useState(false)
  const name = itemName(t, item)
  const run = async () => {
    if (!amount || amount <= 0 || (!same && (!other || other <= 0))) return setSaid(t('errors.fields.need'))
    setBusy(true)
    setSaid(undefined)
    // The call speaks of the money: what the debt gets, and what it takes of the money.
    const [debt, money] = isMoney ? [item.id, document.id] : [document.id, item.id]
    const [debtAgorot, moneyAgorot] = same ? [amount, amount] : isMoney ? [other!, amount] : [amount, other!]
    try {
      await call(settleDocument, {
        id: money,
        documentId: debt,
        amountAgorot: debtAgorot,
        ...(same ? {} : { takesAgorot: moneyAgorot }),
      })
      await refreshDocuments()
      onDone()
    } catch (e) {
      const { fields, rest } = fieldErrors(t, e, ['amountAgorot'])
      setSaid(fields.amountAgorot ?? rest ?? failureText(t, e))
      setBusy(false)
    }
  }
  return (
    <div className="wrap">
      <span className="grow">
        <span className="n">{name}</span>
        <span className="s">
          <Num>{formatDay(item.date)}</Num> · {t('documents.settle.open')}{' '}
          <Money amount={theirs} currency={item.currency} />
        </span>
      </span>
      <div className="w-36">
        <MoneyField
          hideLabel
          label={t('documents.closes.amountOf', { name })}
          currency={document.currency}
          value={amount}
          onChange={setAmount}
          error={said}
        />
      </div>
      {!same && (
        <div className="w-36">
          <MoneyField
            hideLabel
            label={t('documents.settle.other', { name, currency: item.currency })}
            currency={item.currency}
            value={other}
            onChange={setOther}
          />
        </div>
      )}
      <Button kind="soft" busy={busy} onPress={() => void run()}>
        {t('documents.settle.do')}
      </Button>
    </div>
  )
}
