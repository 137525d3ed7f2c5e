import { Combine, FilePlus2, Files, SlidersHorizontal, Tags, UserRoundCog, Users } from 'lucide-react'
import { queryClient, keyOf } from '#kit/web/calls/call.ts'
import { TextCell, ShortDayCell } from '#kit/web/fields/cells.tsx'
import { dress, type BuiltView } from '#kit/web/screens/dress.ts'
import { mayDo, session } from '#kit/web/session/session.ts'
import { customers } from '../customers.ts'
import { listTags } from '../endpoints.ts'
import { customerFields, customerStatuses, customerTypes, portfolios } from '../classifications.ts'
import {
  AbroadInput,
  CountryInput,
  CurrencyInput,
  ExemptGroundInput,
  HidesIlsInput,
  ZeroGroundInput,
  ZeroRateInput,
} from './Abroad.tsx'
import { BankAccountInput, BankCodeCell, BankCodeInput } from './BankInputs.tsx'
import { bankChoices } from './bankWords.ts'
import { openChangeMany, openMerge, openMoveIn } from './actions.tsx'
import { DueTermsCell, DueTermsInput } from './DueTerms.tsx'
import { OwnCell, OwnInput, TagsInput } from './Own.tsx'
import { EmailInput, MobileInput, PhoneInput, TaxIdInput } from './Twins.tsx'
import './parties.css'

/** A new document for a customer. */
export const newDocumentPath = (customerId: string): string =>
  `/invoice/InvoiceDocument?customer=${customerId}`

const may = (rule: string) => mayDo(session(), rule)

/** A status in its own colour, with its word beside it. */
export function StatusDot({
  name,
  color,
}: {
  name: string | null | undefined
  color: string | null | undefined
}) {
  return name ? (
    <span className="pa-dot" style={{ '--dot': color ?? 'var(--ink-3)' } as React.CSSProperties}>
      <bdi>{name}</bdi>
    </span>
  ) : null
}

/** Tags on one line of a table, cut at their end. */
const TagsLine = ({ value }: { value: readonly string[] | null }) => (
  <TextCell value={value?.join(' · ')} quiet />
)

/** The customer's own terms, or muted those of its type. */
const TermsCell = ({ row, value }: { row: { typeDueTerms?: string | null }; value: string | null }) =>
  value ? (
    <DueTermsCell value={value} />
  ) : row.typeDueTerms ? (
    <span className="hint">
      <DueTermsCell value={row.typeDueTerms} />
    </span>
  ) : null

dress(customers, {
  icon: Users,
  inputs: {
    dueTerms: DueTermsInput,
    taxId: TaxIdInput,
    email: EmailInput,
    phone: PhoneInput,
    mobile: MobileInput,
    tags: TagsInput,
    own: OwnInput,
    bankCode: BankCodeInput,
    bankAccount: BankAccountInput,
    isAbroad: AbroadInput,
    country: CountryInput,
    currency: CurrencyInput,
    zeroRate: ZeroRateInput,
    zeroGround: ZeroGroundInput,
    exemptGround: ExemptGroundInput,
    hidesIls: HidesIlsInput,
  },
  cells: {
    dueTerms: TermsCell,
    own: OwnCell,
    bankCode: BankCodeCell,
    tags: TagsLine,
    lastDocumentDay: ShortDayCell,
    statusId: ({ row }) => <StatusDot name={row.statusIdName} color={row.statusColor} />,
  },
  columns: {
    city: { width: 'fit' },
    statusId: { width: 'fit' },
    typeId: { width: 'fit' },
    portfolioId: { width: '7rem' },
    agentId: { width: '7rem' },
    tags: { width: '10rem', phone: undefined },
    lastDocumentDay: { phone: undefined },
    mergedIntoId: { width: '9rem' },
  },
  // Asked for by the list itself, so that they are there when its filter opens.
  choices: {
    bankCode: bankChoices,
    tags: () =>
      (queryClient.getQueryData<{ rows: { tag: string }[] }>(keyOf(listTags, {}))?.rows ?? []).map(
        ({ tag }) => ({
          value: tag,
          label: tag,
        }),
      ),
  },
  views: (t): BuiltView[] => [
    {
      key: 'owing',
      label: t('customers.views.owing'),
      query: { 'balanceAgorot.gte': '1', sort: '-balanceAgorot' },
    },
    {
      key: 'aboveLimit',
      label: t('customers.views.aboveLimit'),
      query: { 'aboveLimitAgorot.gte': '1', sort: '-aboveLimitAgorot' },
    },
    { key: 'registered', label: t('customers.views.registered'), query: { 'source.in': 'registered' } },
  ],
  actions: (row, t) => [
    ...(may('documents.draft') && !row.archivedAt
      ? [{ key: 'document', label: t('documents.new'), icon: FilePlus2, href: newDocumentPath(row.id) }]
      : []),
    ...(may('customers.change') && !row.archivedAt
      ? [
          {
            key: 'merge',
            label: t('customers.merge.do'),
            icon: Combine,
            m: true,
            onPress: () => openMerge([row.id]),
          },
        ]
      : []),
  ],
  bulk: (t) =>
    may('customers.change')
      ? [
          {
            key: 'change',
            label: t('customers.many.do'),
            icon: SlidersHorizontal,
            hi: true,
            run: (rows) => openChangeMany(rows.map(({ id }) => id)),
          },
          {
            key: 'merge',
            label: t('customers.merge.do'),
            icon: Combine,
            run: (rows) => openMerge(rows.map(({ id }) => id)),
          },
        ]
      : [],
})

const customersOf = (query: string) => `${customers.screens.list}?${query}`

dress(customerTypes, {
  icon: Tags,
  // example: dress
  inputs: { dueTerms: DueTermsInput },
  cells: { dueTerms: DueTermsCell },
  // example end
  actions: (row, t) => [
    {
      key: 'customers',
      label: t('customers.sorts.show'),
      icon: Users,
      href: customersOf(`typeId=${row.id}`),
    },
  ],
})

dress(portfolios, {
  icon: UserRoundCog,
  actions: (row, t) => [
    {
      key: 'customers',
      label: t('customers.sorts.show'),
      icon: Users,
      href: customersOf(`portfolioId=${row.id}`),
    },
    ...(may('customers.change') && !row.archivedAt
      ? [
          {
            key: 'move',
            label: t('portfolios.move.do'),
            icon: Files,
            onPress: () => openMoveIn(row.id, row.name),
          },
        ]
      : []),
  ],
})

dress(customerStatuses, { icon: Tags })
dress(customerFields, { icon: SlidersHorizontal })
