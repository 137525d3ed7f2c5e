import { useState } from 'react'
import { Link } from 'react-aria-components/Link'
import { daysBetween } from '#domain/day.ts'
import { formatDay, withCurrency } from '#domain/format.ts'
import { deeds, type Deed } from '#domain/matching/propose.ts'
import type { InputOf } from '#kit/describe/endpoint.ts'
import { call, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import type { Option } from '#kit/web/fields/Combo.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Money } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { resourceNamed, searchIn } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { bankDesk, bookingFacts, bookLine, type OpenBankLine, type ProposalRow } from '../endpoints.ts'
import { refreshMatching } from './refresh.ts'
import { lineText } from './sides.tsx'

/** A line to be booked, and what was proposed for it. */
export interface Suggested {
  line: OpenBankLine
  proposal?: ProposalRow
}

const option = (of: { id: string; name: string } | null | undefined): Option | null =>
  of ? { key: of.id, label: of.name } : null

/** Further apart two lines are not one transfer. */
const farthest = 20

/** Another record by typing; its register is known by name. */
function RecordField({
  register,
  ...props
}: {
  register: string
  label: string
  value: Option | null
  onChange: (value: Option | null) => void
  error?: string
  hint?: string
  optional?: boolean
}) {
  const resource = resourceNamed(register)
  return resource ? <RefField {...props} search={searchIn(resource)} clearable /> : null
}

/** Who was too late sees what the other did. */
const booked = async (input: InputOf<typeof bookLine>) => {
  try {
    return await call(bookLine, input)
  } catch (e) {
    void refreshMatching()
    throw e
  }
}

/** Books a line of the bank in one step: what it is, and whom or what it concerns. */
export function BookDialog({
  account,
  suggested,
  onClose,
}: {
  account: { id: string; name: string; currency: string; accountId: string }
  suggested: Suggested
  onClose: () => void
}) {
  const t = useWords()
  const { lang } = useLanguage()
  const { line, proposal } = suggested
  const isIn = line.amountAgorot > 0
  // What cannot be, with money that came in or went out, is not offered; a cheque that came back is booked as
  // it was proposed, or on its card.
  const offered = deeds.filter((one) =>
    one === 'receipt'
      ? isIn
      : one === 'supplier'
        ? !isIn
        : one === 'bounce'
          ? proposal?.deed === 'bounce'
          : true,
  )
  const [deed, setDeed] = useState<Deed>(proposal?.deed ?? (isIn ? 'receipt' : 'fee'))
  const [party, setParty] = useState<Option | null>(option(proposal?.party))
  const [other, setOther] = useState<Option | null>(option(proposal?.account))
  const [bank, setBank] = useState<Option | null>(option(proposal?.bankAccount))
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set(proposal?.closes.map((debt) => debt.id)))
  const [otherLine, setOtherLine] = useState<string | null>(proposal?.otherLineId ?? null)
  const [details, setDetails] = useState('')
  const role = deed === 'receipt' ? 'customer' : 'supplier'
  const asksParty = deed === 'receipt' || deed === 'supplier'
  const debts = useCall(
    bookingFacts,
    { id: account.id, partyId: party?.key ?? '', role },
    { enabled: asksParty && !!party },
  )
  // The line the money came by, or left by, on the other account: of the same sum, but between two
  // currencies, where only it says at what rate.
  const theirs = useCall(
    bankDesk,
    { id: bank?.key ?? '' },
    { enabled: deed === 'transfer' && bank !== null && bank.key !== account.id },
  )
  const isExchange = theirs.data !== undefined && theirs.data.account.currency !== account.currency
  const otherLines = (deed === 'transfer' && theirs.data ? theirs.data.lines : [])
    .filter((one) => (isExchange ? one.amountAgorot > 0 !== isIn : one.amountAgorot === -line.amountAgorot))
    .filter((one) => Math.abs(daysBetween(line.day, one.day)) <= farthest)
    .toSorted((a, b) => Math.abs(daysBetween(line.day, a.day)) - Math.abs(daysBetween(line.day, b.day)))
    .slice(0, 30)
  // What says at which rate, or all there is to match where both stand on one account of the books, cannot be
  // left out.
  const asksWhy =
    theirs.data && theirs.data.account.accountId === account.accountId
      ? 'matching.book.otherLineSameCard'
      : isExchange
        ? 'matching.book.otherLineHint'
        : undefined
  const otherId = otherLines.some((one) => one.id === otherLine) ? otherLine : null
  const size = Math.abs(line.amountAgorot)
  const rows = (asksParty && party && debts.data?.rows) || []
  // The money closes the chosen debts in their order, as far as it goes; a supplier's bills may come to more
  // by the tax withheld.
  const closes = closed(rows, chosen, deed === 'receipt' ? size : undefined)
  const taken = closes.reduce((sum, one) => sum + one.amountAgorot, 0)
  const submit = async () => {
    const made = await booked({
      id: account.id,
      lineId: line.id,
      deed,
      ...(other && ['fee', 'interest', 'account'].includes(deed) ? { accountId: other.key } : {}),
      ...(bank && deed === 'transfer' ? { bankAccountId: bank.key } : {}),
      ...(deed === 'transfer' && otherId ? { otherLineId: otherId } : {}),
      ...(asksParty && party ? { partyId: party.key, closes } : {}),
      ...(deed === 'bounce' ? { paymentId: proposal?.payment?.id ?? null } : {}),
      ...(details ? { details } : {}),
    })
    banner.success(
      deed === 'receipt' && made.madeNumber !== null
        ? t('matching.book.receiptMade', { number: String(made.madeNumber) })
        : t('matching.book.done'),
    )
    await refreshMatching()
    onClose()
  }
  return (
    <FormDialog
      title={t('matching.book.title')}
      verb={t('matching.book.verb')}
      names={['accountId', 'bankAccountId', 'otherLineId', 'partyId', 'closes', 'details']}
      onClose={onClose}
      onSubmit={submit}
    >
      {(refusal) => (
        <>
          <div className="ma-row">
            <Num className="hint">{formatDay(line.day)}</Num>
            <span className="grow">
              <bdi>{lineText(line)}</bdi> <Num className="hint">{line.reference}</Num>
            </span>
            <b>
              <Money amount={line.amountAgorot} currency={account.currency} />
            </b>
          </div>
          <ChoiceField
            as="list"
            label={t('matching.book.what')}
            value={deed}
            choices={offered.map((value) => ({ value, label: t(`matching.deeds.${value}`) }))}
            onChange={(value) => value && setDeed(value)}
          />
          {deed === 'bounce' && proposal?.payment && (
            <Note>
              {t('matching.book.bounce')} <bdi>{proposal.payment.name}</bdi>
            </Note>
          )}
          {['fee', 'interest', 'account'].includes(deed) && (
            <RecordField
              register="accounts"
              label={t('matching.book.account')}
              optional={deed !== 'account'}
              {...(deed === 'account' ? {} : { hint: t(`matching.book.usual.${deed}`) })}
              value={other}
              onChange={setOther}
              {...refusal('accountId', other)}
            />
          )}
          {deed === 'transfer' && (
            <RecordField
              register="bankaccounts"
              label={t('matching.book.bank')}
              value={bank}
              onChange={setBank}
              {...refusal('bankAccountId', bank)}
            />
          )}
          {deed === 'transfer' && bank && theirs.data && (
            <ChoiceField
              as="list"
              clearable
              optional={!asksWhy}
              label={t('matching.book.otherLine')}
              {...(asksWhy ? { hint: t(asksWhy) } : {})}
              value={otherId}
              choices={otherLines.map((one) => ({
                value: one.id,
                label: `${formatDay(one.day)} · ${withCurrency(one.amountAgorot, theirs.data.account.currency, lang)} · ${lineText(one)}`,
              }))}
              onChange={setOtherLine}
              {...refusal('otherLineId', otherId)}
            />
          )}
          {asksParty && (
            <RecordField
              key={role}
              register={`${role}s`}
              label={t(`matching.book.${role}`)}
              value={party}
              onChange={(value) => {
                setParty(value)
                setChosen(new Set())
              }}
              {...refusal('partyId', party)}
            />
          )}
          {rows.length > 0 && (
            <fieldset className="grid gap-2">
              <legend className="hint">{t(`matching.book.closes.${role}`)}</legend>
              {rows.map((debt) => (
                <div key={debt.id} className="ma-debt">
                  <FlagField
                    label={t('matching.book.debt', { number: debt.number || '–', day: formatDay(debt.day) })}
                    value={chosen.has(debt.id)}
                    onChange={(on) =>
                      setChosen(
                        new Set(on ? [...chosen, debt.id] : [...chosen].filter((one) => one !== debt.id)),
                      )
                    }
                  />
                  <Money amount={debt.openAgorot} currency={account.currency} />
                </div>
              ))}
            </fieldset>
          )}
          {refusal('closes', chosen).error && <Note tone="late">{refusal('closes', chosen).error}</Note>}
          {deed === 'receipt' && party && taken < size && (
            <Note>
              {t('matching.book.onAccount')} <Money amount={size - taken} currency={account.currency} />
            </Note>
          )}
          {deed === 'supplier' && party && debts.data && rows.length === 0 && (
            <Note tone="wait">
              {t('matching.book.noBills')}{' '}
              <Link className="link" href="/invoice/Expenses/all">
                {t('matching.book.enterBill')}
              </Link>
            </Note>
          )}
          <TextField
            label={t('matching.book.details')}
            optional
            max={200}
            value={details}
            onChange={setDetails}
            {...refusal('details', details)}
          />
        </>
      )}
    </FormDialog>
  )
}

/** How much of each chosen debt the money closes; all of it where no sum is given. */
function closed(
  rows: readonly { id: string; openAgorot: number }[],
  chosen: ReadonlySet<string>,
  money: number | undefined,
) {
  let left = money ?? Number.MAX_SAFE_INTEGER
  return rows.flatMap((debt) => {
    const amountAgorot = chosen.has(debt.id) ? Math.min(left, debt.openAgorot) : 0
    left -= amountAgorot
    return amountAgorot > 0 ? [{ id: debt.id, amountAgorot }] : []
  })
}
