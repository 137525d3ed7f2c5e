import { FilePen, FileText, History, TriangleAlert } from 'lucide-react'
import { Suspense } from 'react'
import { Link } from 'react-aria-components/Link'
import { documentTypeById } from '#domain/documents/kinds.ts'
import { formatMoment } from '#domain/format.ts'
import { canDocument } from '#kit/describe/session.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { failureText, useCall } from '#kit/web/calls/call.ts'
import { MoneyCell } from '#kit/web/fields/cells.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { usePlaced } from '#kit/web/screens/places.ts'
import { mayDo, useModules, useSession } from '#kit/web/session/session.ts'
import { menuOf } from '#kit/web/shell/menu.ts'
import { newThings, useRegistry } from '#kit/web/shell/registry.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { myWork } from '../endpoints.ts'
import { placeOf } from './Activity.tsx'
import { deedText } from './says.ts'
import './team.css'

type Mine = OutputOf<typeof myWork>

/**
 * A worker's page: what the worker may begin, tasks given by others (parts of other features), open drafts, own
 * actions, and the worker's screens.
 */
export function Screen() {
  const t = useWords()
  const session = useSession()
  const modules = useModules()
  useRegistry()
  const { data, error, refetch } = useCall(myWork, {})
  const { parts, waits } = usePlaced('worker', '')
  // The heading does not wait for the session.
  if (!session) return <PageHeader title={t('screens.mainWorker')} />
  const begin = newThings
    .filter(
      (thing) =>
        mayDo(session, thing.rule) &&
        (thing.documentType === undefined || canDocument(session, thing.documentType)),
    )
    .toSorted((a, b) => (a.order ?? 99) - (b.order ?? 99))
  const papers = mayDo(session, 'documents.see')
  const places = menuOf(session, mayDo, modules).flatMap(({ listed }) =>
    listed.filter(({ href }) => href !== '/worker/main'),
  )
  return (
    <>
      <PageHeader title={t('screens.mainWorker')} sub={session.Name} />
      {begin.length > 0 && (
        <div className="tm-quick" role="group" aria-label={t('team.work.quick')}>
          {begin.slice(0, 6).map((thing, i) => (
            <Button key={thing.key} kind={i === 0 ? 'primary' : 'plain'} icon={thing.icon} href={thing.href}>
              {t(thing.word)}
            </Button>
          ))}
        </div>
      )}
      {error && !data ? (
        <EmptyState icon={TriangleAlert} title={t('team.failed')}>
          {failureText(t, error)}
        </EmptyState>
      ) : !data || waits ? (
        <Skeleton lines={6} />
      ) : (
        <div className="tm-work">
          {parts.map((Part, i) => (
            <Suspense key={i} fallback={<Skeleton lines={4} />}>
              <Part of="" refresh={() => void refetch()} />
            </Suspense>
          ))}
          {papers && (
            <Card title={t('team.work.drafts')}>
              {data.drafts.length === 0 ? (
                <p className="hint">{t('team.work.noDrafts')}</p>
              ) : (
                <Rows label={t('team.work.drafts')}>
                  {data.drafts.map((one) => (
                    <Paper key={one.id} of={one} href={`/invoice/InvoiceDocument/${one.id}`} icon={FilePen} />
                  ))}
                </Rows>
              )}
            </Card>
          )}
          {papers && (
            <Card title={t('team.work.issued')}>
              {data.issued.length === 0 ? (
                <p className="hint">{t('team.work.noIssued')}</p>
              ) : (
                <Rows label={t('team.work.issued')}>
                  {data.issued.map((one) => (
                    <Paper
                      key={one.id}
                      of={one}
                      number={one.number}
                      href={`/invoice/preview/${one.id}`}
                      icon={FileText}
                    />
                  ))}
                </Rows>
              )}
            </Card>
          )}
          <Card title={t('team.work.done')}>
            {data.done.length === 0 ? (
              <p className="hint">{t('team.work.noneDone')}</p>
            ) : (
              <Rows label={t('team.work.done')}>
                {data.done.map((one) => (
                  <Deed key={one.id} of={one} />
                ))}
              </Rows>
            )}
          </Card>
          {places.length > 0 && (
            <Card title={t('team.work.places')}>
              <div className="tm-quick" style={{ marginBlockEnd: 0 }}>
                {places.map(({ name, href }) => (
                  <Link key={href} className="k-chip" href={href}>
                    {t(`screens.${name}`)}
                  </Link>
                ))}
              </div>
            </Card>
          )}
        </div>
      )}
    </>
  )
}

function Paper({
  of,
  number,
  href,
  icon,
}: {
  of: Mine['drafts'][number]
  number?: number
  href: string
  icon: typeof FileText
}) {
  const t = useWords()
  return (
    <Link href={href}>
      <span className="k-tile">
        <Icon of={icon} />
      </span>
      <span className="grow">
        <span className="t">
          {t(`documents.types.${of.label ?? documentTypeById(of.type)}`)}{' '}
          {number !== undefined && <Num>{number}</Num>}
        </span>
        <span className="s">
          {of.customer && (
            <>
              <bdi>{of.customer}</bdi>
              {' · '}
            </>
          )}
          <Num>{formatMoment(new Date(of.at))}</Num>
        </span>
      </span>
      {typeof of.totalAgorot === 'number' && <MoneyCell value={of.totalAgorot} currency={of.currency} />}
    </Link>
  )
}

function Deed({ of }: { of: Mine['done'][number] }) {
  const t = useWords()
  const href = placeOf(of)
  const inside = (
    <>
      <span className="k-tile">
        <Icon of={History} />
      </span>
      <span className="grow">
        <span className="t">{deedText(t, of.action)}</span>
        <span className="s">
          {of.about && (
            <>
              <bdi>{of.about}</bdi>
              {' · '}
            </>
          )}
          <Num>{formatMoment(new Date(of.at))}</Num>
        </span>
      </span>
    </>
  )
  return href ? <Link href={href}>{inside}</Link> : <div>{inside}</div>
}
