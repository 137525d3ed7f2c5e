import { Archive, ArchiveRestore, CloudOff, Pencil } from 'lucide-react'
import { Suspense, useState, type ReactNode } from 'react'
import { areaOf } from '#kit/describe/area.ts'
import { cardPlaces } from '#kit/describe/cards.ts'
import { failureText } from '../calls/call.ts'
import { Button } from '../parts/Button.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import type { MenuEntry } from '../parts/Menu.tsx'
import { toastOnce } from '../parts/notices.ts'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { StatusPill } from '../parts/Status.tsx'
import { Segmented, Views, type View } from '../parts/Views.tsx'
import { go } from '../routes/place.ts'
import { useTitle } from '../routes/router.tsx'
import { useCan, useSession } from '../session/session.ts'
import { banner } from '../shell/banner.ts'
import { useWords } from '../words/words.tsx'
import { useWordsOf } from '../words/wording.ts'
import { tabsOf, type CardTab } from './cardTabs.ts'
import { useDress } from './dress.ts'
import { Facts } from './Facts.tsx'
import { titleOf, type AnyResource, type AnyRow } from './resources.ts'
import { useRecord } from './useRecord.ts'
import { moveRecords } from './useList.ts'
import { RecordSheet } from './RecordSheet.tsx'
import './screens.css'

export const DETAILS = 'details'

export interface CardScreenProps {
  resource: AnyResource
  id: string
  /** The tab shown, and the address of each; without addresses the card has no tabs. */
  tab?: string
  tabHref?: (tab: string) => string
  /** Tabs of the feature itself, beside those other features have registered. */
  tabs?: readonly CardTab[]
  start?: (row: AnyRow) => ReactNode
  /** One quiet line under the title. */
  sub?: (row: AnyRow) => ReactNode
  status?: (row: AnyRow) => ReactNode
  /** At most one primary button; "edit" is beside it. */
  actions?: (row: AnyRow) => ReactNode
  /** Over the facts: the figures that matter. */
  above?: (row: AnyRow) => ReactNode
  /** Among the facts: cards of what is known of it and is no field. */
  below?: (row: AnyRow) => ReactNode
  /** Fields that stand elsewhere on the card, and are not told again among the facts. */
  elsewhere?: readonly string[]
  /** Where changing leads; a sheet beside the card when absent. */
  editHref?: string
}

/**
 * One record: what it is called, its figures and facts, what belongs to it in tabs, and what can be done with
 * it.
 */
export function CardScreen({
  resource,
  id,
  tab = DETAILS,
  tabHref,
  tabs: own = [],
  start,
  sub,
  status,
  actions,
  above,
  below,
  elsewhere,
  editHref,
}: CardScreenProps) {
  useWordsOf(resource.name)
  const t = useWords()
  const may = useCan()
  const hidden = useSession()?.areasHidden
  const { data: row, error, refetch } = useRecord(resource, id)
  const [editing, setEditing] = useState(false)
  const clothes = useDress(resource)
  useTitle(row && titleOf(resource, row))
  const crumbs = [{ label: t(`${resource.name}.title`), href: resource.screens.list }]
  if (!row)
    return (
      <>
        <PageHeader title={t(`${resource.name}.one`)} crumbs={crumbs} />
        {error ? (
          <EmptyState
            icon={CloudOff}
            title={t('kit.cards.failed')}
            actions={
              error.status === 404 ? (
                <Button href={resource.screens.list}>{t(`${resource.name}.title`)}</Button>
              ) : (
                <Button kind="soft" onPress={() => void refetch()}>
                  {t('kit.actions.retry')}
                </Button>
              )
            }
          >
            {failureText(t, error)}
          </EmptyState>
        ) : (
          <Skeleton lines={6} />
        )}
      </>
    )

  const mayChange = may(resource.allow.change)
  const isArchived = row.archivedAt !== null
  const fail = (e: unknown) => void banner.error(failureText(t, e))
  const move = (to: 'archive' | 'restore') => {
    toastOnce(
      moveRecords(resource, [row.id], to),
      t(`kit.lists.done.${to}`, { count: 1 }),
      () => void moveRecords(resource, [row.id], to === 'archive' ? 'restore' : 'archive').catch(fail),
    )
      .then(() => to === 'archive' && go(resource.screens.list))
      .catch(fail)
  }
  const more: MenuEntry[] = [
    ...(clothes.actions?.(row, t) ?? []),
    ...(mayChange
      ? [
          isArchived
            ? {
                key: 'restore',
                label: t('kit.lists.restore'),
                icon: ArchiveRestore,
                onPress: () => move('restore'),
              }
            : {
                key: 'archive',
                label: t('kit.lists.archive'),
                icon: Archive,
                onPress: () => move('archive'),
              },
        ]
      : []),
  ]
  // What the business has no use for is in no row of tabs; its address opens it.
  const tabs = [...own, ...tabsOf(resource.name)]
    .filter(({ rule }) => rule === undefined || may(rule))
    .filter(({ key, rule }) => key === tab || !hidden?.includes(areaOf(rule) ?? ''))
    .sort((a, b) => (a.order ?? 100) - (b.order ?? 100))
  const shown = tabs.find(({ key }) => key === tab)
  const at = shown?.key ?? DETAILS
  const places = cardPlaces(resource.name, [DETAILS, ...tabs.map(({ key }) => key)])
  const wordOf = (key: string) => t(tabs.find((one) => one.key === key)?.word ?? 'kit.cards.details')
  const views: View[] = places.tabs.map(({ key, parts }) =>
    parts.length === 1
      ? { key, label: wordOf(key) }
      : { key: parts.includes(at) ? at : parts[0]!, label: t(`${resource.name}.tabs.${key}`) },
  )
  const parts = places.tabs.find(({ parts }) => parts.length > 1 && parts.includes(at))?.parts
  return (
    <>
      <PageHeader
        title={titleOf(resource, row)}
        crumbs={crumbs}
        {...(start ? { start: start(row) } : {})}
        status={isArchived ? <StatusPill>{t('kit.cards.archived')}</StatusPill> : status?.(row)}
        sub={sub?.(row)}
        actions={
          <>
            {mayChange && !isArchived && (
              <Button
                icon={Pencil}
                {...(editHref ? { href: editHref } : { onPress: () => setEditing(true) })}
              >
                {t('kit.lists.edit')}
              </Button>
            )}
            {!isArchived && actions?.(row)}
          </>
        }
        more={more}
      >
        {tabHref && tabs.length > 0 && (
          <Views
            label={t('kit.cards.tabs')}
            controls="card-panel"
            value={at}
            onChange={(key) => go(tabHref(key), { replace: true })}
            views={views}
            more={places.more.map((key) => ({ key, label: wordOf(key) }))}
          />
        )}
      </PageHeader>
      <div
        id="card-panel"
        {...(tabHref && tabs.length > 0
          ? { role: 'tabpanel', 'aria-label': shown ? t(shown.word) : t('kit.cards.details') }
          : {})}
      >
        {parts && tabHref && (
          <div className="k-card-parts">
            <Segmented
              label={views.find(({ key }) => key === at)!.label}
              value={at}
              onChange={(key) => go(tabHref(key), { replace: true })}
              options={parts.map((key) => ({ key, label: wordOf(key) }))}
            />
          </div>
        )}
        {shown ? (
          <Suspense fallback={<Skeleton lines={6} />}>
            <shown.Panel row={row} />
          </Suspense>
        ) : (
          <div className="d-card">
            {above?.(row)}
            <Facts resource={resource} row={row} {...(elsewhere ? { elsewhere } : {})}>
              {below?.(row)}
            </Facts>
          </div>
        )}
      </div>
      {editing && (
        <RecordSheet
          resource={resource}
          record={row}
          onClose={() => setEditing(false)}
          onSaved={() => {
            setEditing(false)
            banner.success(t('kit.forms.saved'))
          }}
        />
      )}
    </>
  )
}
