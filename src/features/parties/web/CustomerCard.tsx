import { FilePlus2 } from 'lucide-react'
import { Fragment, lazy, Suspense, type ReactNode } from 'react'
import { EmailCell, PhoneCell } from '../../../kit/web/fields/cells.tsx'
import { Button } from '../../../kit/web/parts/Button.tsx'
import { Figure, Figures } from '../../../kit/web/parts/Figure.tsx'
import { Num } from '../../../kit/web/parts/Num.tsx'
import { Skeleton } from '../../../kit/web/parts/Skeleton.tsx'
import { usePlace } from '../../../kit/web/place.ts'
import { CardScreen } from '../../../kit/web/screens/CardScreen.tsx'
import type { CardTab } from '../../../kit/web/screens/cardTabs.ts'
import type { AnyRow } from '../../../kit/web/screens/resources.ts'
import { useCan, useSession } from '../../../kit/web/session.ts'
import { useWords } from '../../../kit/web/words.tsx'
import { customers, type Customer } from '../customers.ts'
import { dueTermsText } from './DueTerms.tsx'
import { newDocumentPath } from './dress.tsx'

const LEDGER = 'ledger'
const pathOf = (id: string, tab: string) => `/invoice/invoiceCustomer/${id}/${tab}`

/** A customer: figures and details, the card in the books, and the tabs of other features. The tab stands in the address. */
export function Screen() {
  const { params } = usePlace()
  const t = useWords()
  const may = useCan()
  const id = params.userkey ?? ''
  if (params.type === 'edit')
    return (
      <Suspense fallback={<Skeleton lines={8} />}>
        <FormScreen key={id} resource={customers} id={id} />
      </Suspense>
    )
  return (
    <CardScreen
      key={id}
      resource={customers}
      id={id}
      tab={params.type ?? ''}
      tabHref={(tab) => pathOf(id, tab)}
      tabs={tabs}
      editHref={pathOf(id, 'edit')}
      start={(row) => (
        <span className="k-avatar" aria-hidden>
          {initials(String(row.name))}
        </span>
      )}
      sub={(row) => <Reach row={row as AnyRow & Customer} />}
      actions={(row) =>
        may('documents.draft') && (
          <Button kind="primary" icon={FilePlus2} href={newDocumentPath(row.id)}>
            {t('documents.new')}
          </Button>
        )
      }
      elsewhere={['taxId', 'email', 'dueTerms', 'creditLimitAgorot']}
      above={(row) => <Standing row={row as AnyRow & Customer} />}
    />
  )
}

const Ledger = lazy(() => import('./CustomerLedger.tsx').then(({ CustomerLedger }) => ({ default: CustomerLedger })))
const FormScreen = lazy(() => import('../../../kit/web/screens/FormScreen.tsx').then(({ FormScreen }) => ({ default: FormScreen })))

const tabs: CardTab[] = [{ key: LEDGER, word: 'ledger.reports.customerCard.title', rule: 'reports.accounting', order: 20, Panel: Ledger }]

/** Two letters for a picture: of the first two words, without quotes and titles' dots. */
function initials(name: string): string {
  const words = name
    .replace(/["'״׳«»“”()]/g, '')
    .split(/\s+/)
    .filter((word) => /^[\p{L}\d]/u.test(word))
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
}

/** How to reach him, in one line. */
function Reach({ row }: { row: Customer }) {
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

/** What he owes, how much he may, and by when he pays. */
function Standing({ row }: { row: Customer }) {
  const t = useWords()
  const may = useCan()
  const session = useSession()
  const hides = session?.HideTotalPrices || typeof row.balanceAgorot !== 'number'
  const limit = row.creditLimitAgorot
  const above = !hides && limit !== null && row.balanceAgorot! > limit
  if (hides && !row.dueTerms) return null
  return (
    <Figures label={t('customers.fields.balanceAgorot')}>
      {!hides && (
        <Figure
          label={t('customers.fields.balanceAgorot')}
          amount={row.balanceAgorot!}
          {...(above ? { note: t('customers.aboveLimit'), noteTone: 'late' as const } : {})}
          {...(may('reports.accounting') ? { href: pathOf((row as unknown as AnyRow).id, LEDGER) } : {})}
        />
      )}
      {!hides && limit !== null && <Figure label={t('customers.fields.creditLimitAgorot')} amount={limit} />}
      {row.dueTerms && (
        <Figure label={t('customers.fields.dueTerms')} value={<span className="text-18">{dueTermsText(row.dueTerms, t)}</span>} />
      )}
    </Figures>
  )
}
