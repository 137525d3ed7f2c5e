import { useInfiniteQuery } from '@tanstack/react-query'
import { Bell, CheckCheck, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { formatDay, formatMoment } from '#domain/format.ts'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { SideSheet } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { go } from '#kit/web/routes/place.ts'
import { cardPath, resourceNamed } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { setBell } from '#kit/web/shell/bell.ts'
import { useWords, wordIfAny, type Words } from '#kit/web/words/words.tsx'
import { useWordsOf } from '#kit/web/words/wording.ts'
import {
  bellSettings,
  listNotifications,
  readNotifications,
  setBell as setWay,
  ways,
  type Notification,
} from '../endpoints.ts'
import './bell.css'

/**
 * What happened and what needs this person, newest first; behind the gear, the kinds and channels of their
 * notifications.
 */
export function BellSheet({ onClose }: { onClose: () => void }) {
  useWordsOf('webhooks')
  const t = useWords()
  const [isSetting, setSetting] = useState(false)
  const readAll = () =>
    void call(readNotifications, {})
      .then(({ unread }) => {
        setBell({ unread })
        return queryClient.invalidateQueries({ queryKey: [listNotifications.name] })
      })
      .catch((e: unknown) => banner.error(failureText(t, e)))
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={t(isSetting ? 'bell.settings' : 'bell.title')}
      actions={
        <>
          <Button kind="quiet" icon={isSetting ? Bell : Settings2} onPress={() => setSetting(!isSetting)}>
            {t(isSetting ? 'bell.title' : 'bell.settings')}
          </Button>
          {!isSetting && (
            <Button icon={CheckCheck} onPress={readAll}>
              {t('bell.readAll')}
            </Button>
          )}
        </>
      }
    >
      {isSetting ? <Ways /> : <Told onClose={onClose} />}
    </SideSheet>
  )
}

/** The sentence of a notification. */
function saidOf(t: Words, { kind, params, by }: Notification): string {
  const [thing = ''] = kind.split('.')
  const own = wordIfAny(t, `bell.kinds.${kind}`, {
    ...(params as Record<string, string | number>),
    by: by ?? t('companies.log.system'),
    ...(typeof params.day === 'string' ? { day: formatDay(params.day) } : {}),
  })
  if (own) return own
  const what = wordIfAny(t, `webhooks.events.${kind}`, {}) ?? kind
  const which = params.number ?? params.name ?? params.title
  return which === undefined || which === null
    ? what
    : `${wordIfAny(t, `webhooks.things.${thing}`, {}) ?? thing} · ${String(which)}: ${what}`
}

function Told({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const query = useInfiniteQuery({
    queryKey: [listNotifications.name],
    queryFn: ({ pageParam, signal }) =>
      call(listNotifications, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const { data, error } = query
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const open = (one: Notification) => {
    if (!one.readAt)
      void call(readNotifications, { ids: [one.id] })
        .then(({ unread }) => {
          setBell({ unread })
          return queryClient.invalidateQueries({ queryKey: [listNotifications.name] })
        })
        .catch(() => undefined)
    const resource = resourceNamed(one.entity)
    const href = one.entityId && resource ? cardPath(resource, one.entityId) : undefined
    if (href) {
      onClose()
      go(href)
    }
  }
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  if (rows.length === 0)
    return (
      <EmptyState icon={Bell} title={t('bell.empty')}>
        {t('bell.emptyText')}
      </EmptyState>
    )
  return (
    <>
      <ul className="bl-list">
        {rows.map((one) => (
          <li key={one.id}>
            <button
              type="button"
              className="bl-one"
              data-new={one.readAt ? undefined : ''}
              onClick={() => open(one)}
            >
              {!one.readAt && <span className="vh">{t('bell.new')}</span>}
              <span className="t">
                <bdi>{saidOf(t, one)}</bdi>
              </span>
              {typeof one.params.text === 'string' && one.params.text && (
                <span className="s">
                  <bdi>{one.params.text}</bdi>
                </span>
              )}
              <span className="hint text-12">
                <Num>{formatMoment(new Date(one.at))}</Num>
              </span>
            </button>
          </li>
        ))}
      </ul>
      <MoreRows of={query} />
    </>
  )
}

function Ways() {
  const t = useWords()
  const { data, error } = useCall(bellSettings, {})
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={8} />
  const put = (kind: string, way: (typeof ways)[number]) =>
    void call(setWay, { kind, way })
      .then(() => queryClient.invalidateQueries({ queryKey: keyOf(bellSettings) }))
      .catch((e: unknown) => banner.error(failureText(t, e)))
  const things = [...new Set(data.rows.filter(({ isOwn }) => !isOwn).map(({ thing }) => thing))]
  const line = (row: (typeof data.rows)[number]) => (
    <ChoiceField
      key={row.kind}
      label={
        row.isOwn
          ? t(`bell.names.${row.kind}`)
          : (wordIfAny(t, `webhooks.events.${row.kind}`, {}) ?? row.kind)
      }
      value={row.way}
      onChange={(way) => way && put(row.kind, way)}
      choices={ways.map((value) => ({ value, label: t(`bell.ways.${value}`) }))}
      even
    />
  )
  return (
    <div className="bl-ways">
      <p className="hint">{t('bell.settingsText')}</p>
      <h3>{t('bell.mine')}</h3>
      {data.rows.filter(({ isOwn }) => isOwn).map(line)}
      {things.map((thing) => (
        <details key={thing}>
          <summary>{wordIfAny(t, `webhooks.things.${thing}`, {}) ?? thing}</summary>
          <div className="bl-ways">
            {data.rows.filter((row) => !row.isOwn && row.thing === thing).map(line)}
          </div>
        </details>
      ))}
    </div>
  )
}
