import { ListChecks } from 'lucide-react'
import { useEffect } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { formatDay, formatMoney } from '#domain/format.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { MoneyField } from '#kit/web/fields/NumberFields.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Link } from 'react-aria-components/Link'
import { useWords } from '#kit/web/words/words.tsx'
import { openItems, type OpenItem } from '../../endpoints.ts'
import { pagePath } from '../../types/index.ts'
import { itemNoun } from '../nouns.ts'
import { itemName } from '../words.ts'
import type { Change, Edited, Refusals } from './model.ts'
import {
  fitted,
  followedCloses,
  isClosable,
  oldestFirst,
  paidOf,
  takenBy,
  type EditedClose,
} from './money.ts'

const none: readonly OpenItem[] = []

/** What the customer owes and is asked for; asked again whenever the screen is opened. */
export function useOpenItems(edited: Edited, isOn: boolean): readonly OpenItem[] | undefined {
  const { data } = useCall(
    openItems,
    { customerId: edited.customer?.id ?? '' },
    { enabled: isOn && edited.customer !== null, staleTime: 0 },
  )
  return edited.customer === null ? none : data?.rows
}

/** Divides the money over the debts as its amount is typed, until somebody divides it by hand. */
export function useFollowedCloses(
  edited: Edited,
  items: readonly OpenItem[] | undefined,
  isOn: boolean,
  put: ClosesProps['put'],
): void {
  const wanted = isOn && items ? followedCloses(edited, items) : undefined
  useEffect(() => {
    if (wanted) put({ closes: wanted })
  })
}

export interface ClosesProps {
  edited: Edited
  /** The money is the income itself, and the customer has no debt for it. */
  isIncome: boolean
  items: readonly OpenItem[] | undefined
  put: (change: Extract<Change, { do: 'put' }>['change']) => void
  refusals: Refusals['fields']
}

/** What this money pays: the open documents of the customer, ticked and with a sum, or the oldest first. */
export function Closes({ edited, isIncome, items, put: putAny, refusals }: ClosesProps) {
  const t = useWords()
  const put: ClosesProps['put'] = (change) => putAny({ ...change, closesFollow: null })
  const said = refusals.closes && t(`errors.${refusals.closes.code}`, refusals.closes.params)
  if (!edited.customer) return null
  const shown = items?.filter(isClosable) ?? []
  const gone = items
    ? edited.closes.filter((close) => !shown.some((item) => item.id === close.documentId))
    : []
  const paid = paidOf(edited.payments)
  const taken = takenBy(edited.closes, items ?? none, edited.currency)
  const onAccount = paid - taken
  const isAbove = paid > 0 && onAccount < 0
  const amountOf = (agorot: number) =>
    edited.currency === 'ILS' ? `₪${formatMoney(agorot)}` : `${edited.currency} ${formatMoney(agorot)}`
  const closeOf = (item: OpenItem) => edited.closes.find((close) => close.documentId === item.id)
  const set = (item: OpenItem, change: Partial<EditedClose>) =>
    put({
      closes: edited.closes.map((close) => (close.documentId === item.id ? { ...close, ...change } : close)),
    })
  const tick = (item: OpenItem, on: boolean) => {
    if (!on) return put({ closes: edited.closes.filter((close) => close.documentId !== item.id) })
    const free =
      item.asks || item.currency !== edited.currency || onAccount <= 0
        ? item.openInCurrencyAgorot
        : Math.min(item.openInCurrencyAgorot, onAccount)
    put({ closes: [...edited.closes, { documentId: item.id, amountAgorot: free, takesAgorot: null }] })
  }
  return (
    <section className="doc-money" aria-label={t('documents.closes.title')}>
      <header>
        <h2>{t('documents.closes.title')}</h2>
        <span className="grow" />
        {shown.some((item) => !item.asks && item.currency === edited.currency) && (
          <Button
            kind="quiet"
            size="s"
            icon={ListChecks}
            onPress={() => put({ closes: oldestFirst(paid, shown, edited.currency) })}
          >
            {t(paid > 0 ? 'documents.closes.oldest' : 'documents.closes.all')}
          </Button>
        )}
      </header>
      {!items ? (
        <Skeleton lines={2} />
      ) : shown.length === 0 ? (
        <p className="hint">{t(isIncome ? 'documents.closes.noneIncome' : 'documents.closes.none')}</p>
      ) : (
        <ul>
          {shown.map((item) => {
            const close = closeOf(item)
            const name = itemName(t, item)
            return (
              <li key={item.id} className="doc-close" data-on={close ? '' : undefined}>
                <FlagField
                  hideLabel
                  label={t('documents.closes.tick', { name: itemNoun(t, item) })}
                  value={close !== undefined}
                  onChange={(on) => tick(item, on)}
                />
                <span className="grow">
                  <Link className="n" href={pagePath(item.type, item.id)} target="_blank">
                    {name}
                  </Link>
                  <span className="s">
                    <Num>{formatDay(item.date)}</Num>
                    {item.dueDate && (
                      <>
                        {' · '}
                        {t('documents.fields.dueDay')} <Num>{formatDay(item.dueDate)}</Num>
                      </>
                    )}
                    {item.asks && <> · {t('documents.closes.asks')}</>}
                  </span>
                </span>
                {close ? (
                  <span className="sums">
                    <MoneyField
                      hideLabel
                      label={t('documents.closes.amountOf', { name })}
                      name="closeAmount"
                      currency={item.currency}
                      value={close.amountAgorot}
                      onChange={(amountAgorot) => set(item, { amountAgorot })}
                      error={
                        (close.amountAgorot ?? 0) > item.openInCurrencyAgorot
                          ? t('documents.closes.tooMuch')
                          : close.amountAgorot !== null && close.amountAgorot <= 0
                            ? t('errors.fields.range')
                            : undefined
                      }
                    />
                    <span className="hint text-12">
                      {t('documents.closes.of')}{' '}
                      <Money amount={item.openInCurrencyAgorot} currency={item.currency} />
                    </span>
                    {item.currency !== edited.currency && !item.asks && (
                      <MoneyField
                        label={t('documents.closes.takes', { currency: edited.currency })}
                        name="closeTakes"
                        currency={edited.currency}
                        value={close.takesAgorot}
                        onChange={(takesAgorot) => set(item, { takesAgorot })}
                        error={said && close.takesAgorot === null ? t('errors.fields.need') : undefined}
                      />
                    )}
                  </span>
                ) : (
                  <Money amount={item.openInCurrencyAgorot} currency={item.currency} />
                )}
              </li>
            )
          })}
        </ul>
      )}
      {gone.length > 0 && (
        <p className="k-msg" data-tone="late">
          {t('documents.closes.gone')}{' '}
          <Button
            kind="quiet"
            size="s"
            onPress={() => put({ closes: edited.closes.filter((close) => !gone.includes(close)) })}
          >
            {t('documents.closes.dropGone')}
          </Button>
        </p>
      )}
      {said && !isAbove && (
        <p className="k-msg" data-tone="late" role="alert" tabIndex={-1} data-refused="">
          {said}
        </p>
      )}
      {isAbove && (
        <p
          className="k-msg"
          data-tone="late"
          role="alert"
          {...(said && { tabIndex: -1, 'data-refused': '' })}
        >
          {t('documents.closes.above', { marked: amountOf(taken), received: amountOf(paid) })}{' '}
          <Button
            kind="quiet"
            size="s"
            onPress={() => put({ closes: fitted(edited.closes, items ?? none, paid, edited.currency) })}
          >
            {t('documents.closes.adjust', { received: amountOf(paid) })}
          </Button>
        </p>
      )}
      {paid > 0 && onAccount > 0 && (
        <p className="doc-account">
          {t(isIncome ? 'documents.closes.asIncome' : 'documents.closes.onAccount')}{' '}
          <b>
            <Money amount={onAccount} currency={edited.currency} />
          </b>
        </p>
      )}
    </section>
  )
}
