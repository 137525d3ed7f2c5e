import { Fragment, lazy, Suspense, useState, type ReactNode } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, failureText } from '#kit/web/calls/call.ts'
import { EmailCell, PhoneCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { Figure, Figures } from '#kit/web/parts/Figure.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { Chip, StatusPill } from '#kit/web/parts/Status.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { CardScreen } from '#kit/web/screens/CardScreen.tsx'
import type { CardTab } from '#kit/web/screens/cardTabs.ts'
import { partsOf } from '#kit/web/screens/places.ts'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { useCan, useSession } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { customers, type Customer } from '../customers.ts'
import { takeConsentBack } from '../endpoints.ts'
import { openConsent, refreshCustomers } from './actions.tsx'
import { dueTermsText } from './DueTerms.tsx'
import { StatusDot } from './dress.tsx'
import { inventedText } from '#kit/web/fields/InventedInput.tsx'
import { MergedNote } from './MergedNote.tsx'
import { useOwnFields } from './Own.tsx'
import { fetchPart } from '#kit/web/calls/fetchPart.ts'
import './parties.css'

const LEDGER = 'ledger'
const pathOf = (id: string, tab: string) => `/invoice/invoiceCustomer/${id}/${tab}`

type Row = AnyRow & Customer

/**
 * A customer: figures and details, the card in the books, and the tabs of other features. The tab is in the address.
 */
export function Screen() {
  const { params } = usePlace()
  const id = params.userkey ?? ''
  if (params.type === 'edit')
    return (
      <Suspense fallback={<Skeleton lines={8} />}>
        <FormScreen key={id} resource={customers} id={id} />
      </Suspense>
    )
  return (
    <CustomerView
      id={id}
      tab={params.type ?? ''}
      tabHref={(tab) => pathOf(id, tab)}
      editHref={pathOf(id, 'edit')}
    />
  )
}

export interface CustomerViewProps {
  id: string
  tab: string
  tabHref: (tab: string) => string
  /** Where changing leads; a sheet beside the card when absent. */
  editHref?: string
}

/** The card wherever it is shown: in the frame, or as a separate page. */
export function CustomerView({ id, tab, tabHref, editHref }: CustomerViewProps) {
  return (
    <CardScreen
      key={id}
      resource={customers}
      id={id}
      tab={tab}
      tabHref={tabHref}
      tabs={tabs}
      {...(editHref ? { editHref } : {})}
      start={(row) => (
        <span className="k-avatar" aria-hidden>
          {initials(String(row.name))}
        </span>
      )}
      status={(row) => <State row={row as Row} />}
      sub={(row) => <Reach row={row as Row} />}
      elsewhere={['taxId', 'email', 'dueTerms', 'creditLimitAgorot', 'statusId', 'tags', 'own']}
      above={(row) => (
        <>
          <Merged row={row as Row} />
          <Standing row={row as Row} />
        </>
      )}
      below={(row) => (
        <>
          <OwnFacts row={row as Row} />
          <Consent row={row as Row} />
        </>
      )}
    />
  )
}

const Ledger = lazy(() =>
  fetchPart(() => import('./CustomerLedger.tsx')).then(({ CustomerLedger }) => ({ default: CustomerLedger })),
)
const FormScreen = lazy(() =>
  fetchPart(() => import('#kit/web/screens/FormScreen.tsx')).then(({ FormScreen }) => ({
    default: FormScreen,
  })),
)
const Contacts = lazy(() => fetchPart(() => import('./Contacts.tsx')).then((m) => ({ default: m.Contacts })))
const Addresses = lazy(() =>
  fetchPart(() => import('./Addresses.tsx')).then((m) => ({ default: m.Addresses })),
)
const Files = lazy(() => fetchPart(() => import('./Files.tsx')).then((m) => ({ default: m.Files })))
const Activity = lazy(() => fetchPart(() => import('./Activity.tsx')).then((m) => ({ default: m.Activity })))

const tabs: CardTab[] = [
  {
    key: LEDGER,
    word: 'ledger.reports.customerCard.title',
    rule: 'reports.accounting',
    order: 20,
    Panel: Ledger,
  },
  { key: 'contacts', word: 'customerContacts.title', order: 30, Panel: Contacts },
  { key: 'addresses', word: 'customerAddresses.title', order: 40, Panel: Addresses },
  { key: 'files', word: 'customers.tabs.files', order: 70, Panel: Files },
  { key: 'activity', word: 'customers.tabs.activity', order: 80, Panel: Activity },
]

/** The customer's state and tags. */
function State({ row }: { row: Row }) {
  const t = useWords()
  return (
    <>
      {row.statusIdName ? (
        <StatusDot name={String(row.statusIdName)} color={row.statusColor as string} />
      ) : null}
      {row.source === 'registered' && <StatusPill>{t('customers.source.registered')}</StatusPill>}
      {(row.tags?.length ?? 0) > 0 && (
        <span className="pa-marks">
          {row.tags!.map((tag) => (
            <Chip
              key={tag}
              onPress={() => go(`${customers.screens.list}?tags.in=${encodeURIComponent(tag)}`)}
            >
              <bdi>{tag}</bdi>
            </Chip>
          ))}
        </span>
      )}
    </>
  )
}

/** A record that turned out to be another customer says so, and leads there. */
function Merged({ row }: { row: Row }) {
  const t = useWords()
  if (!row.mergedIntoId) return null
  return (
    <MergedNote href={pathOf(row.mergedIntoId, 'details')} label={t('customers.twins.open')}>
      {t('customers.merge.into', { name: String(row.mergedIntoIdName ?? '') })}
    </MergedNote>
  )
}

/** The values of the business's own fields. */
function OwnFacts({ row }: { row: Row }) {
  const t = useWords()
  const fields = useOwnFields().filter(({ id }) => row.own?.[id] !== undefined && row.own[id] !== null)
  if (fields.length === 0) return null
  return (
    <Card title={t('customers.sections.own')}>
      <dl>
        {fields.map((field) => (
          <div key={field.id}>
            <dt>{field.name}</dt>
            <dd>
              {field.kind === 'day' || field.kind === 'number' ? (
                <Num>{inventedText(t, field, row.own![field.id] ?? null)}</Num>
              ) : (
                <bdi>{inventedText(t, field, row.own![field.id] ?? null)}</bdi>
              )}
            </dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

/**
 * Whether documents may be sent to the customer by electronic means: since when, how consent was given and by whom;
 * it can be withdrawn.
 */
function Consent({ row }: { row: Row }) {
  const t = useWords()
  const may = useCan()
  const [asks, setAsks] = useState(false)
  const mayChange = may(customers.allow.change) && row.archivedAt === null
  const revoke = () =>
    call(takeConsentBack, { id: row.id })
      .then(refreshCustomers)
      .catch((e: unknown) => {
        banner.error(failureText(t, e))
        throw e
      })
  return (
    <Card
      title={t('customers.consent.head')}
      end={
        mayChange && (
          <Button
            kind="quiet"
            size="s"
            onPress={() => (row.consentAt ? setAsks(true) : openConsent(row.id, row.name))}
          >
            {t(row.consentAt ? 'customers.consent.revoke' : 'customers.consent.note')}
          </Button>
        )
      }
    >
      {row.consentAt ? (
        <dl>
          <div>
            <dt>{t('customers.fields.consentAt')}</dt>
            <dd>
              <Num>{formatMoment(new Date(row.consentAt))}</Num>
            </dd>
          </div>
          {row.consentHow && (
            <div>
              <dt>{t('customers.fields.consentHow')}</dt>
              <dd>{t(`customers.consentHow.${row.consentHow}`)}</dd>
            </div>
          )}
          {row.consentBy && (
            <div>
              <dt>{t('customers.fields.consentBy')}</dt>
              <dd>
                <bdi>{row.consentBy}</bdi>
              </dd>
            </div>
          )}
        </dl>
      ) : (
        <p className="hint">{t('customers.consent.none')}</p>
      )}
      {mayChange &&
        partsOf('customerConsent').map((Part, i) => (
          <Suspense key={i} fallback={null}>
            <Part of={row.id} refresh={() => void refreshCustomers()} />
          </Suspense>
        ))}
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('customers.consent.ask')}
        verb={t('customers.consent.revoke')}
        danger
        onConfirm={revoke}
      >
        {t('customers.consent.askText')}
      </Question>
    </Card>
  )
}

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

/** How to reach the customer, in one line. */
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

/** What the customer owes, the credit limit and how far it is exceeded, and the terms of payment. */
function Standing({ row }: { row: Row }) {
  const t = useWords()
  const may = useCan()
  const session = useSession()
  const hides = session?.HideTotalPrices || typeof row.balanceAgorot !== 'number'
  const limit = row.creditLimitAgorot
  const above = hides ? 0 : (row.aboveLimitAgorot ?? 0)
  const terms = row.dueTerms ?? row.typeDueTerms
  if (hides && !terms) return null
  return (
    <Figures label={t('customers.fields.balanceAgorot')}>
      {!hides && (
        <Figure
          label={t('customers.fields.balanceAgorot')}
          amount={row.balanceAgorot!}
          {...(above > 0 ? { note: t('customers.aboveLimit'), noteTone: 'late' as const } : {})}
          {...(may('reports.accounting') ? { href: pathOf(row.id, LEDGER) } : {})}
        />
      )}
      {!hides && limit !== null && <Figure label={t('customers.fields.creditLimitAgorot')} amount={limit} />}
      {above > 0 && <Figure label={t('customers.fields.aboveLimitAgorot')} amount={above} tone="late" />}
      {terms && (
        <Figure
          label={t('customers.fields.dueTerms')}
          value={<span className="text-18">{dueTermsText(terms, t)}</span>}
          {...(row.dueTerms ? {} : { note: t('customers.fromType') })}
        />
      )}
    </Figures>
  )
}
