/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- dragging is for the mouse; the arrows beside each line do the same by keyboard */
import {
  Archive,
  ChevronDown,
  ChevronUp,
  GripVertical,
  LogIn,
  Pencil,
  Plus,
  type LucideIcon,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { failureText, queryClient, useCall } from '../calls/call.ts'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Icon } from '../parts/Icon.tsx'
import { LogInFirst } from '../parts/LogInFirst.tsx'
import { Note } from '../parts/Banner.tsx'
import { PageHeader } from '../parts/PageHeader.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { toastOnce } from '../parts/notices.ts'
import { callsOf, refreshResource, type AnyResource, type AnyRow } from './resources.ts'
import { RecordSheet } from './RecordSheet.tsx'
import { moveRecords } from './useList.ts'
import { useCan, useSession } from '../session/session.ts'
import { banner } from '../shell/banner.ts'
import { useWords } from '../words/words.tsx'
import './ordered.css'

interface OrderedProps {
  resource: AnyResource
  /** Keeps the order as it was put. */
  order: (ids: string[]) => Promise<unknown>
  /** The list it belongs to. */
  of: AnyResource
  icon: LucideIcon
  lead: (row: AnyRow) => ReactNode
}

/**
 * A short list in a custom order: dragged, or moved by its arrows. It opens without a session (the guard lets it),
 * but there is nothing to see then, and the log-in is offered.
 */
export function Ordered({ resource, order, of, icon, lead }: OrderedProps) {
  const t = useWords()
  const session = useSession()
  const may = useCan()
  const title = t(`${resource.name}.title`)
  if (!session || !may(resource.allow.see))
    return (
      <>
        <PageHeader title={title} />
        {session ? (
          <EmptyState icon={LogIn} title={t('kit.ordered.title')}>
            {t('kit.ordered.right')}
          </EmptyState>
        ) : (
          <LogInFirst title={t('kit.ordered.title')}>{t('kit.ordered.text')}</LogInFirst>
        )}
      </>
    )
  return <Open resource={resource} order={order} of={of} icon={icon} lead={lead} />
}

function Open({ resource, order: keep, of, icon, lead }: OrderedProps) {
  const t = useWords()
  const may = useCan()
  const mayChange = may(resource.allow.change)
  const { list } = callsOf(resource)
  const { data, error } = useCall(list, { size: 200, sort: 'position' })
  const [order, setOwnOrder] = useState<readonly string[]>()
  const [dragged, setDragged] = useState<string>()
  const [over, setOver] = useState<string>()
  const [sheet, setSheet] = useState<{ row?: AnyRow }>()
  const said = data?.rows ?? []
  const rows = order
    ? order
        .flatMap((id) => said.find((row) => row.id === id) ?? [])
        .concat(said.filter(({ id }) => !order.includes(id)))
    : said
  const word = (key: string) => t(`${resource.name}.${key}`)

  const move = (id: string, to: number) => {
    const ids = rows.map((row) => row.id)
    const from = ids.indexOf(id)
    if (from < 0 || to < 0 || to >= ids.length || from === to) return
    ids.splice(to, 0, ...ids.splice(from, 1))
    setOwnOrder(ids)
    keep(ids)
      .then(() => queryClient.invalidateQueries({ queryKey: [list.name] }))
      .catch((e: unknown) => {
        setOwnOrder(undefined)
        banner.error(failureText(t, e))
      })
  }
  const putAway = (row: AnyRow) =>
    void toastOnce(
      moveRecords(resource, [row.id], 'archive'),
      t('kit.lists.done.archive', { count: 1 }),
      () => void moveRecords(resource, [row.id], 'restore'),
    ).catch((e: unknown) => banner.error(failureText(t, e)))

  return (
    <>
      <PageHeader
        title={word('title')}
        crumbs={[{ label: t(`${of.name}.title`), href: of.screens.list }]}
        actions={
          mayChange &&
          rows.length > 0 && (
            <Button kind="primary" icon={Plus} onPress={() => setSheet({})}>
              {word('new')}
            </Button>
          )
        }
      />
      {error && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={4} />}
      {data && rows.length === 0 && (
        <EmptyState
          icon={icon}
          title={word('empty.title')}
          actions={
            mayChange && (
              <Button kind="primary" icon={Plus} onPress={() => setSheet({})}>
                {word('new')}
              </Button>
            )
          }
        >
          {word('empty.text')}
        </EmptyState>
      )}
      {rows.length > 0 && (
        <Card flush label={word('title')}>
          <ol className="k-order">
            {rows.map((row, i) => (
              <li
                key={row.id}
                draggable={mayChange}
                data-dragged={dragged === row.id ? '' : undefined}
                data-over={over === row.id && dragged !== row.id ? '' : undefined}
                onDragStart={(event) => {
                  event.dataTransfer.effectAllowed = 'move'
                  setDragged(row.id)
                }}
                onDragOver={(event) => {
                  event.preventDefault()
                  setOver(row.id)
                }}
                onDragEnd={() => {
                  setDragged(undefined)
                  setOver(undefined)
                }}
                onDrop={(event) => {
                  event.preventDefault()
                  if (dragged) move(dragged, i)
                  setDragged(undefined)
                  setOver(undefined)
                }}
              >
                {mayChange && (
                  <span className="grip" aria-hidden>
                    <Icon of={GripVertical} />
                  </span>
                )}
                {lead(row)}
                {mayChange && (
                  <>
                    <Button
                      kind="quiet"
                      size="s"
                      icon={ChevronUp}
                      label={`${t('kit.ordered.up')}: ${String(row.name)}`}
                      isDisabled={i === 0}
                      onPress={() => move(row.id, i - 1)}
                    />
                    <Button
                      kind="quiet"
                      size="s"
                      icon={ChevronDown}
                      label={`${t('kit.ordered.down')}: ${String(row.name)}`}
                      isDisabled={i === rows.length - 1}
                      onPress={() => move(row.id, i + 1)}
                    />
                    <Button
                      kind="quiet"
                      size="s"
                      icon={Pencil}
                      label={`${t('kit.lists.edit')}: ${String(row.name)}`}
                      onPress={() => setSheet({ row })}
                    />
                    <Button
                      kind="quiet"
                      size="s"
                      icon={Archive}
                      label={`${t('kit.lists.archive')}: ${String(row.name)}`}
                      onPress={() => putAway(row)}
                    />
                  </>
                )}
              </li>
            ))}
          </ol>
        </Card>
      )}
      {sheet && (
        <RecordSheet
          resource={resource}
          {...(sheet.row ? { record: sheet.row } : {})}
          onClose={() => setSheet(undefined)}
          onSaved={() => {
            setSheet(undefined)
            banner.success(t('kit.forms.saved'))
            void refreshResource(of)
            void refreshResource(resource)
          }}
        />
      )}
    </>
  )
}
