import { Fragment, lazy, Suspense, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { formatDay, formatPercent } from '#domain/format.ts'
import { useCall } from '#kit/web/calls/call.ts'
import { EmailCell, PhoneCell } from '#kit/web/fields/cells.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { CardScreen, DETAILS } from '#kit/web/screens/CardScreen.tsx'
import type { CardTab } from '#kit/web/screens/cardTabs.ts'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { dueTermsText, MergedNote } from '#features/registers/parties/web/index.tsx'
import { withholdingOfSupplier } from '../endpoints.ts'
import { suppliers, type Supplier } from '../suppliers.ts'
import { BankChangeNote } from './BankChange.tsx'
import { supplierPath } from './paths.ts'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import { Together } from '#kit/web/parts/Together.tsx'
import './dress.tsx'

const FormScreen = lazy(() =>
  fetchPart(() => import('#kit/web/screens/FormScreen.tsx')).then(({ FormScreen }) => ({
    default: FormScreen,
  })),
)
const Panels = {
  Ledger: lazy(() =>
    fetchPart(() => import('./panels/Ledger.tsx')).then(({ Ledger }) => ({ default: Ledger })),
  ),
  Withholding: lazy(() =>
    fetchPart(() => import('./panels/Withholding.tsx')).then(({ Withholding }) => ({ default: Withholding })),
  ),
  Bank: lazy(() => fetchPart(() => import('./panels/Bank.tsx')).then(({ Bank }) => ({ default: Bank }))),
  Files: lazy(() => fetchPart(() => import('./panels/Files.tsx')).then(({ Files }) => ({ default: Files }))),
  Activity: lazy(() =>
    fetchPart(() => import('./panels/Activity.tsx')).then(({ Activity }) => ({ default: Activity })),
  ),
}

const LEDGER = 'card'
const tabs: CardTab[] = [
  { key: LEDGER, word: 'suppliers.tabs.ledger', rule: 'reports.accounting', order: 20, Panel: Panels.Ledger },
  { key: 'withholding', word: 'suppliers.tabs.withholding', order: 30, Panel: Panels.Withholding },
  { key: 'bank', word: 'suppliers.tabs.bank', order: 40, Panel: Panels.Bank },
  { key: 'files', word: 'suppliers.tabs.files', order: 60, Panel: Panels.Files },
  { key: 'activity', word: 'suppliers.tabs.activity', order: 90, Panel: Panels.Activity },
]

/** A supplier: what it is owed, what is withheld from it, its details, and the tabs of other features. */
export function Screen() {
  const { params } = usePlace()
  const id = params.userkey ?? params.id ?? ''
  // Shown above the card, under what is loaded with it.
  const withholding = useCall(withholdingOfSupplier, { id }, { enabled: id !== '' && params.type !== 'edit' })
  if (params.type === 'edit')
    return (
      <Suspense fallback={<Skeleton lines={8} />}>
        <FormScreen key={id} resource={suppliers} id={id} />
      </Suspense>
    )
  return (
    <Together waits={withholding.isLoading}>
      <CardScreen
        key={id}
        resource={suppliers}
        id={id}
        tab={params.type ?? DETAILS}
        tabHref={(tab) => supplierPath(id, tab)}
        tabs={tabs}
        editHref={supplierPath(id, 'edit')}
        sub={(row) => <Reach row={row as AnyRow & Supplier} />}
        above={(row) => (
          <>
            <Merged row={row as AnyRow & Supplier} />
            <Standing row={row as AnyRow & Supplier} />
          </>
        )}
        elsewhere={['taxId', 'email', 'dueTerms']}
      />
    </Together>
  )
}

/** A record that turned out to be another supplier says so, and leads there. */
function Merged({ row }: { row: AnyRow & Supplier }) {
  const t = useWords()
  if (!row.mergedIntoId) return null
  return (
    <MergedNote href={supplierPath(row.mergedIntoId, 'details')} label={t('suppliers.twins.open')}>
      {t('suppliers.merge.into', { name: String(row.mergedIntoIdName ?? '') })}
    </MergedNote>
  )
}

/** How to reach the supplier, in one line. */
function Reach({ row }: { row: Supplier }) {
  const phone = row.mobile ?? row.phone
  const parts: [key: string, part: ReactNode][] = []
  if (row.taxId) parts.push(['taxId', <Num key="taxId">{row.taxId}</Num>])
  if (phone) parts.push(['phone', <PhoneCell key="phone" value={phone} />])
  if (row.email) parts.push(['email', <EmailCell key="email" value={row.email} />])
  return parts.map(([key, part], i) => (
    <Fragment key={key}>
      {i > 0 && ' · '}
      {part}
    </Fragment>
  ))
}

/** What the supplier is owed and when, what would be withheld today and why, and the warning of a changed account. */
function Standing({ row }: { row: AnyRow & Supplier }) {
  const t = useWords()
  const may = useCan()
  const session = useSession()
  const { lang } = useLanguage()
  const { data: withholding } = useCall(withholdingOfSupplier, { id: row.id })
  const hides = session?.HideTotalPrices || typeof row.balanceAgorot !== 'number'
  return (
    <>
      <BankChangeNote
        changedAt={row.bankChangedAt}
        changedBy={row.bankChangedBy}
        link={
          <Link className="link" href={supplierPath(row.id, 'bank')}>
            {t('suppliers.bank.history')}
          </Link>
        }
      />
      <Figures label={t('suppliers.sections.terms')}>
        {!hides && (
          <Figure
            label={t('suppliers.fields.balanceAgorot')}
            amount={row.balanceAgorot!}
            {...(row.overdueAgorot
              ? { note: t('suppliers.overdue'), noteTone: 'late' as const }
              : row.dueDay
                ? { note: t('suppliers.dueOn', { day: formatDay(row.dueDay) }) }
                : {})}
            {...(may('reports.accounting') ? { href: supplierPath(row.id, LEDGER) } : {})}
          />
        )}
        {withholding && (
          <Figure
            label={t('suppliers.withholdingToday')}
            value={<Num>{formatPercent(withholding.rateBp, lang)}</Num>}
            note={
              withholding.reason === 'certificate' && withholding.validTo
                ? t('suppliers.reason.certificateTo', { day: formatDay(withholding.validTo) })
                : t(`suppliers.reason.${withholding.reason}`)
            }
            href={supplierPath(row.id, 'withholding')}
          />
        )}
        {row.dueTerms && (
          <Figure
            label={t('suppliers.fields.dueTerms')}
            value={<span className="text-18">{dueTermsText(row.dueTerms, t)}</span>}
          />
        )}
      </Figures>
    </>
  )
}
