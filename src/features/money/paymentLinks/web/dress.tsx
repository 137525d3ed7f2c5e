import { Ban, CreditCard, Link2, Send, Share2 } from 'lucide-react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { dayInJerusalem } from '#domain/day.ts'
import type { BusinessKind } from '#domain/documents/kinds.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Num } from '#kit/web/parts/Num.tsx'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { go } from '#kit/web/routes/place.ts'
import { dress, type BuiltView, type DressedInputProps } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords, wordIfAny } from '#kit/web/words/words.tsx'
import { getCompany } from '#features/base/companies/endpoints.ts'
import { brandWord } from '#features/base/companies/means.ts'
import { pagePath } from '#features/sales/documents/types/index.ts'
import { cancelLink, getCharge } from '../endpoints.ts'
import {
  cardCharges,
  linkPapers,
  papersFor,
  paymentLinks,
  type CardCharge,
  type PaymentLink,
} from '../paymentLinks.ts'
import { refreshLinks } from './actions.ts'
import { openShare } from './open.tsx'
import { ChargeState, LinkState } from './state.tsx'

const Day = ({ value }: { value: string | null }) =>
  value ? <Num>{formatDay(dayInJerusalem(new Date(value)))}</Num> : null
const Moment = ({ value }: { value: string | null }) =>
  value ? <Num>{formatMoment(new Date(value))}</Num> : null

/** Days by commas: figures, so that they read left to right. */
function RemindInput({ value, onChange, label, error, hint, name }: DressedInputProps) {
  return (
    <TextField
      ltr
      optional
      label={label}
      {...(name ? { name } : {})}
      {...(hint ? { hint } : {})}
      {...(error ? { error } : {})}
      value={String(value ?? '')}
      onChange={onChange}
      max={40}
      inputMode="numeric"
      placeholder="3, 7"
    />
  )
}

/**
 * The document of the payment, where the business has a choice. People who may not see the business get it from the
 * server.
 */
function PaperInput({ value, onChange, label, error, hint, name }: DressedInputProps) {
  const t = useWords()
  const company = useCall(getCompany, {}, { staleTime: 60_000 })
  if (!company.data && !company.isError) return null
  const kind = company.data?.kind as BusinessKind | undefined
  const offered = kind ? papersFor(kind) : linkPapers
  const chosen = (value ?? 'usual') as (typeof linkPapers)[number]
  if (offered.length < 2 && offered.includes(chosen)) return null
  return (
    <ChoiceField
      label={label}
      {...(name ? { name } : {})}
      {...(hint ? { hint } : {})}
      {...(error ? { error } : {})}
      value={chosen as string}
      onChange={onChange}
      choices={offered.map((paper) => ({ value: paper as string, label: t(`paymentLinks.paper.${paper}`) }))}
    />
  )
}

dress(paymentLinks, {
  icon: Link2,
  cells: {
    state: ({ row }: { row: PaymentLink }) => <LinkState state={row.state!} />,
    createdAt: Day,
    sentAt: Day,
    viewedAt: Day,
  } as never,
  inputs: { paper: PaperInput, remindDays: RemindInput } as never,
  columns: {
    createdAt: { width: 'fit', phone: undefined },
    description: { strong: true, width: 'trim', phone: 'title' },
    customerId: { width: 'trim', phone: 'line' },
    sumAgorot: { phone: 'amount' },
    expiresOn: { width: 'fit', phone: 'line' },
    sentAt: { width: 'fit' },
    viewedAt: { width: 'fit' },
    state: { width: 'fit', phone: 'state' },
  } as never,
  isOff: (row) => row.state === 'cancelled',
  views: (t): BuiltView[] =>
    (['open', 'expired', 'paid'] as const).map((state) => ({
      key: state,
      label: t(`paymentLinks.state.${state}`),
      query: { 'state.in': state },
    })),
  actions: (row, t) => [
    ...(session()?.HideTotalPrices
      ? []
      : [
          {
            key: 'share',
            label: t('paymentLinks.share.title'),
            icon: Share2,
            onPress: () => openShare(row.id),
          },
        ]),
    ...(mayDo(session(), 'paymentLinks.change') && row.state !== 'paid' && row.state !== 'cancelled'
      ? [
          {
            key: 'cancel',
            label: t('paymentLinks.cancel'),
            icon: Ban,
            tone: 'danger' as const,
            onPress: () =>
              void call(cancelLink, { id: row.id })
                .then(() => banner.success(t('paymentLinks.cancelled')))
                .catch((e: unknown) => banner.error(failureText(t, e)))
                .finally(() => void refreshLinks()),
          },
        ]
      : []),
  ],
})

function Card({ row }: { row: CardCharge }) {
  const t = useWords()
  if (!row.cardLast4) return null
  return (
    <>
      {brandWord(row.cardBrand ?? '', t)} <Num>{row.cardLast4}</Num>
    </>
  )
}

/** Why there is no document. Brings the words of: errors */
function NoPaper({ row }: { row: CardCharge }) {
  const t = useWords()
  return <>{row.noPaper && (wordIfAny(t, `errors.${row.noPaper}`) ?? row.noPaper)}</>
}

function State({ row }: { row: CardCharge }) {
  return <ChargeState state={row.state!} />
}

dress(cardCharges, {
  icon: CreditCard,
  cells: { state: State, createdAt: Moment, cardLast4: Card, noPaper: NoPaper } as never,
  columns: {
    createdAt: { width: 'fit', phone: 'line' },
    payer: { strong: true, width: 'trim', phone: 'title' },
    sumAgorot: { phone: 'amount' },
    state: { width: 'fit', phone: 'state' },
    cardLast4: { width: 'fit', phone: 'line' },
    paperNumber: { width: 'fit' },
  } as never,
  actions: (row, t) =>
    row.paperNumber !== null && mayDo(session(), 'documents.send') && !session()?.HideTotalPrices
      ? [
          {
            key: 'resend',
            label: t('cardCharges.resend'),
            icon: Send,
            onPress: () =>
              void call(getCharge, { id: row.id })
                .then(({ paper }) => paper && go(`${pagePath(paper.type, paper.id)}?send=1`))
                .catch((e: unknown) => banner.error(failureText(t, e))),
          },
        ]
      : [],
  rowName: (row, t) => `${row.payer ?? ''} ${t(`cardCharges.state.${String(row.state)}`)}`.trim(),
  isOff: (row) => row.state === 'lapsed',
  views: (t): BuiltView[] => [
    { key: 'paid', label: t('cardCharges.state.paid'), query: { 'state.in': 'paid' } },
    { key: 'declined', label: t('cardCharges.state.declined'), query: { 'state.in': 'declined,lapsed' } },
    { key: 'back', label: t('cardCharges.views.back'), query: { 'state.in': 'givenBack,surplus' } },
    {
      key: 'noPaper',
      label: t('cardCharges.views.noPaper'),
      query: { 'noPaper.empty': 'false' },
      tone: 'wait',
    },
  ],
})
