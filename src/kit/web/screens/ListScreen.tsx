import {
  Archive,
  ArchiveRestore,
  FileSpreadsheet,
  Download,
  FolderOpen,
  Inbox,
  Pencil,
  Plus,
  SearchX,
} from 'lucide-react'
import { Suspense, useEffect, useMemo, useRef, useState, type ComponentType, type ReactNode } from 'react'
import { Link } from 'react-aria-components/Link'
import { callFile, failureText } from '../calls/call.ts'
import { Button } from '../parts/Button.tsx'
import { DataTable, type Density, type Sort, type TableHand } from '../parts/DataTable.tsx'
import { EmptyState } from '../parts/EmptyState.tsx'
import { Failed } from '../parts/Failed.tsx'
import { KeptPlace } from '../parts/KeptPlace.tsx'
import { Menu, type MenuEntry } from '../parts/Menu.tsx'
import { toastOnce } from '../parts/notices.ts'
import { PageHeader } from '../parts/PageHeader.tsx'
import { pageSizeOf, Pager, type PageSize } from '../parts/Pager.tsx'
import { SelectionBar } from '../parts/SelectionBar.tsx'
import { Skeleton } from '../parts/Skeleton.tsx'
import { ColumnsMenu, DensityMenu } from '../parts/TableTools.tsx'
import { useKeys } from '../parts/useKeys.ts'
import { usePhone } from '../parts/useMedia.ts'
import { go } from '../routes/place.ts'
import { useCan, useSession } from '../session/session.ts'
import { banner } from '../shell/banner.ts'
import { makeTypedAhead } from '../shell/typedAhead.ts'
import { store, storedPageSize } from '../session/storage.ts'
import { useStateFor } from '../hooks/useStateFor.ts'
import { useWords } from '../words/words.tsx'
import { useWordsOf } from '../words/wording.ts'
import { isReachable, sumsOf, tableColumns } from './columns.tsx'
import { useDress, type Dress } from './dress.ts'
import { askedOf, clearing, type Query } from './filters.ts'
import { useKept } from './kept.ts'
import { ListFilters } from './ListFilters.tsx'
import { listTools } from './listTools.ts'
import { ListViews } from './ListViews.tsx'
import { callsOf, cardPath, fieldsOf, isFresh, titleOf, type AnyResource, type AnyRow } from './resources.ts'
import { moveRecords, useListQuery, useRows } from './useList.ts'
import { fetchSheet, RecordSheet } from './RecordSheet.tsx'
import './screens.css'

export interface ListScreenProps {
  resource: AnyResource
  /** The words of the screen; `screens.<resource>` when absent. */
  title?: string
  /**
   * Filters that always hold and are not shown: the documents of one customer. A record made here begins with
   * them.
   */
  fixed?: Query
  /** Inside another page: no header, no views, and the address stays as it is. */
  embedded?: boolean
  /** Where "new" leads; false leaves it out. Without a page of its own the form opens beside the list. */
  newHref?: string | false
  /** In place of opening the record's card. */
  onOpen?: (row: AnyRow) => void
  /**
   * Whether records may be put away; those that have a form may, but inside another page only when it says
   * so.
   */
  archive?: boolean
  /** More at the end of the header, before "new". */
  actions?: ReactNode
  /** More behind the three dots. */
  more?: MenuEntry[]
  /**
   * Words for where there is nothing yet, in place of the register's own: `newHref` may be no way to begin
   * here.
   */
  empty?: { title: string; text: string }
  /**
   * A list of one kind among several: its own first columns, titles and tabs. What the person chooses there
   * is kept under `key`.
   */
  kind?: { key: string; columns: readonly string[]; dress?: Pick<Dress, 'columns' | 'views'> }
}

/**
 * A screen of nothing but data: `load: () => import('…/ListScreen.tsx').then(({ listScreen }) => ({ Screen:
 * listScreen(items) }))`.
 */
export const listScreen = (
  resource: AnyResource,
  props: Omit<ListScreenProps, 'resource'> = {},
): ComponentType =>
  function DescribedList() {
    return <ListScreen resource={resource} {...props} />
  }

const noneSelected: ReadonlySet<string> = new Set()

/** An address holds so many ids; a larger choice is exported as the list's filters. */
const MOST_EXPORTED_IDS = 300

/**
 * The list of a described resource: views, search, filters, columns, order, pages by cursor, totals, selection,
 * export, archive. Its query is in the address, so that a link, the back button and a saved view all show the same
 * list.
 */
export function ListScreen(props: ListScreenProps) {
  const list = <List {...props} />
  // Inside another page only this part of it waits for what the list still lacks.
  return props.embedded ? <Suspense fallback={<Skeleton lines={6} />}>{list}</Suspense> : list
}

function List({
  resource,
  title,
  fixed,
  embedded = false,
  newHref,
  onOpen,
  archive,
  actions,
  more,
  empty: bare,
  kind,
}: ListScreenProps) {
  useWordsOf(resource.name)
  const t = useWords()
  const session = useSession()
  const may = useCan()
  const fields = fieldsOf(resource)
  const [query, setQuery] = useListQuery(embedded)
  const [size, setSize] = useState<PageSize>(() => pageSizeOf(storedPageSize()))
  const listed = (kind?.columns ?? resource.list.columns) as string[]
  const [chosenColumns, setChosenColumns] = useKept<string[]>(
    `columns:${resource.name}${kind ? `:${kind.key}` : ''}`,
    listed,
  )
  const [sheet, setSheet] = useState<{ row?: AnyRow }>()

  const mayChange = may(resource.allow.change)
  const hasForm = resource.form.length > 0
  const hasArchive = archive ?? (hasForm && !embedded)
  const inArchive = query.archived === 'true'
  const asked = useMemo(() => ({ ...askedOf(fields, query), ...fixed }), [fields, query, fixed])
  const list = useRows(resource, asked, size)
  const worn = useDress(resource)
  const kindDress = kind?.dress
  const clothes = useMemo(
    () => (kindDress ? { ...worn, ...kindDress, columns: { ...worn.columns, ...kindDress.columns } } : worn),
    [worn, kindDress],
  )
  const [density, setDensity] = useKept<Density>(`density:${resource.name}`, clothes.density ?? 'compact')
  const { rows } = list
  // What is asked for decides which rows there are; a choice among others would be blind.
  const [selected, setSelected] = useStateFor<ReadonlySet<string>>(JSON.stringify(asked), noneSelected)
  const chosen = useMemo(() => rows.filter((row) => selected.has(row.id)), [rows, selected])

  const names = Object.keys(fields).filter((name) => !fixed?.[name] && isReachable(fields[name]!, session))
  const offered = [
    ...listed.filter((name) => names.includes(name)),
    ...names.filter((name) => !listed.includes(name) && fields[name]!.kind !== 'longText'),
  ]
  const shownNames = offered.filter((name) => chosenColumns.includes(name))
  const shownText = shownNames.join(',')
  const columns = useMemo(
    () => tableColumns(resource, shownText === '' ? listed : shownText.split(','), t, clothes),
    [resource, shownText, listed, t, clothes],
  )
  const [sortName, direction] = query.sort
    ? [query.sort.replace(/^-/, ''), query.sort.startsWith('-') ? 'desc' : 'asc']
    : resource.list.sort
  const sort: Sort = { key: sortName as string, direction: direction as Sort['direction'] }

  const word = (key: string, params?: Record<string, string | number>) => t(`${resource.name}.${key}`, params)
  const heading = title ?? word('title')
  const nameOf = (row: AnyRow) => clothes.rowName?.(row, t) ?? titleOf(resource, row)
  const hrefOf = (row: AnyRow) =>
    onOpen ? undefined : clothes.href ? clothes.href(row) : cardPath(resource, row.id)
  const open = (row: AnyRow) => {
    const href = hrefOf(row)
    if (onOpen) onOpen(row)
    else if (href) go(href)
    else if (hasForm) setSheet({ row })
  }
  const inSheet = newHref === undefined && resource.screens.form === resource.screens.list
  const canMake = (hasForm || typeof newHref === 'string') && mayChange && newHref !== false && !inArchive
  // Imports are where one record is created; records created by a command have a separate way.
  const mayBring = resource.fromFiles ? mayChange && !inArchive : canMake && hasForm
  const tools = mayBring && !embedded ? listTools().filter(({ rule }) => may(rule)) : []
  const phone = usePhone()
  // What is typed at once after the wish for a form belongs in its fields, though its code has yet to come.
  const [ahead] = useState(() => makeTypedAhead({ manyFields: true }))
  useEffect(() => ahead.stop, [ahead])
  const make = () => {
    if (!inSheet) return go(newHref || resource.screens.form)
    ahead.begin(() => {
      ahead.stop()
      setSheet(undefined)
    })
    fetchSheet().catch(ahead.stop)
    setSheet({})
  }
  useKeys(canMake && !embedded ? { n: make } : {})

  // The cursor goes to the row that was created, once it is there; a person who goes on working before that is not
  // moved.
  const hand = useRef<TableHand>(null)
  const [made, setMade] = useState<string>()
  const reached = useRef<string>(undefined)
  useEffect(() => {
    if (made === undefined || reached.current === made) return
    const at = rows.findIndex(({ id }) => id === made)
    if (at < 0) return
    reached.current = made
    hand.current?.goTo(at)
  }, [made, rows])
  useEffect(() => {
    if (made === undefined) return
    const forget = () => setMade(undefined)
    for (const kind of ['keydown', 'pointerdown'] as const) document.addEventListener(kind, forget, true)
    return () => {
      for (const kind of ['keydown', 'pointerdown'] as const) document.removeEventListener(kind, forget, true)
    }
  }, [made])

  const move = (ids: readonly string[], to: 'archive' | 'restore') => {
    setSelected(new Set())
    toastOnce(
      moveRecords(resource, ids, to),
      t(`kit.lists.done.${to}`, { count: ids.length }),
      () => void moveRecords(resource, ids, to === 'archive' ? 'restore' : 'archive').catch(fail),
    ).catch(fail)
  }
  const fail = (e: unknown) => void banner.error(failureText(t, e))
  const exporting = (format: 'csv' | 'xlsx', ids?: readonly string[]) => {
    const { archived, ...rest } = asked
    callFile(callsOf(resource).export, {
      ...rest,
      ...(archived ? { archived } : {}),
      format,
      columns: columns.map((column) => column.key).join(','),
      ...(ids ? { ids: ids.join(',') } : {}),
    }).catch(fail)
  }
  const exportItems = (ids?: readonly string[]): MenuEntry[] => [
    { key: 'xlsx', label: t('kit.lists.xlsx'), icon: FileSpreadsheet, onPress: () => exporting('xlsx', ids) },
    { key: 'csv', label: t('kit.lists.csv'), icon: Download, onPress: () => exporting('csv', ids) },
  ]

  const menu = (row: AnyRow): MenuEntry[] => {
    const own = clothes.actions?.(row, t) ?? []
    const href = hrefOf(row)
    const opens: MenuEntry[] =
      href || onOpen
        ? [
            {
              key: 'open',
              label: t('kit.keys.open'),
              icon: FolderOpen,
              keys: '↵',
              ...(href ? { href } : { onPress: () => open(row) }),
            },
          ]
        : []
    const edits: MenuEntry[] =
      hasForm && mayChange && !inArchive
        ? [{ key: 'edit', label: t('kit.lists.edit'), icon: Pencil, onPress: () => setSheet({ row }) }]
        : []
    const away: MenuEntry[] =
      hasArchive && mayChange
        ? [
            'line',
            inArchive
              ? {
                  key: 'restore',
                  label: t('kit.lists.restore'),
                  icon: ArchiveRestore,
                  onPress: () => move([row.id], 'restore'),
                }
              : {
                  key: 'archive',
                  label: t('kit.lists.archive'),
                  icon: Archive,
                  onPress: () => move([row.id], 'archive'),
                },
          ]
        : []
    return [...opens, ...edits, ...(own.length > 0 ? (['line', ...own] as MenuEntry[]) : []), ...away]
  }
  // Inside another page records with a card offer their actions there.
  const hasMenu =
    hasArchive ||
    (embedded
      ? clothes.actions !== undefined && !resource.screens?.card
      : hasForm || clothes.actions !== undefined)

  const isNarrowed = Object.keys(clearing(fields, query)).length > 0
  // Nothing at all: the empty screen offers the first step, and one such button is enough.
  const isBare = rows.length === 0 && !list.loading && !list.failure && !isNarrowed
  const clear = () => setQuery({ ...clearing(fields, query), view: undefined })
  const empty = list.failure ? (
    <Failed error={list.failure} onRetry={list.retry} />
  ) : isNarrowed ? (
    <EmptyState
      icon={SearchX}
      title={t('kit.lists.noneFit')}
      actions={
        <Button kind="soft" onPress={clear}>
          {t('kit.filters.clear')}
        </Button>
      }
    >
      {t('kit.filters.none')}
    </EmptyState>
  ) : inArchive ? (
    <EmptyState icon={Archive} title={t('kit.lists.archiveEmpty')}>
      {t('kit.lists.archiveEmptyText')}
    </EmptyState>
  ) : (
    <EmptyState
      bare
      icon={clothes.icon ?? Inbox}
      title={bare?.title ?? word('empty.title')}
      actions={
        canMake && (
          <Button kind={embedded ? 'soft' : 'primary'} icon={Plus} onPress={make}>
            {word('new')}
          </Button>
        )
      }
    >
      {bare?.text ?? word('empty.text')}
    </EmptyState>
  )

  // A phone's head has room for one button, and an empty list shows one.
  const isEmpty = isBare && !inArchive
  const toolItems: MenuEntry[] =
    phone || isEmpty
      ? tools.map((tool) => ({
          key: tool.key,
          label: t(tool.word),
          icon: tool.icon,
          href: tool.href(resource),
        }))
      : []
  const archiveItem: MenuEntry[] =
    isEmpty && hasArchive
      ? [
          {
            key: 'archive',
            label: t('kit.lists.inArchive'),
            icon: Archive,
            onPress: () => setQuery({ archived: 'true' }),
          },
        ]
      : []
  const allMore = [...(more ?? []), ...toolItems, ...archiveItem]

  return (
    <>
      {!embedded && (
        <PageHeader
          title={heading}
          actions={
            <>
              <KeptPlace shown={!(isEmpty && canMake)}>{actions}</KeptPlace>
              {!phone &&
                !isBare &&
                tools.map((tool) => (
                  <Button key={tool.key} kind="quiet" icon={tool.icon} href={tool.href(resource)}>
                    {t(tool.word)}
                  </Button>
                ))}
              {/* There is nothing to take away before there are rows; its place is kept, so that they do not move. */}
              <KeptPlace shown={rows.length > 0}>
                <Menu
                  label={t('kit.lists.export')}
                  items={exportItems()}
                  trigger={
                    <Button kind="quiet" icon={Download}>
                      {t('kit.lists.export')}
                    </Button>
                  }
                />
              </KeptPlace>
              {canMake && !isBare && (
                <Button kind="primary" icon={Plus} keys="N" onPress={make}>
                  {word('new')}
                </Button>
              )}
              {/* An empty list says it in its middle; the place up here stays, so that nothing below moves. */}
              {canMake && isBare && (
                <KeptPlace shown={false}>
                  <Button kind="primary" icon={Plus}>
                    {word('new')}
                  </Button>
                </KeptPlace>
              )}
            </>
          }
          {...(allMore.length > 0 ? { more: allMore } : {})}
        >
          <ListViews
            resource={resource}
            built={clothes.views?.(t)}
            query={query}
            setQuery={setQuery}
            hasArchive={hasArchive}
          />
        </PageHeader>
      )}
      <ListFilters
        resource={resource}
        query={query}
        setQuery={setQuery}
        names={(resource.list.filters as string[]).filter((name) => names.includes(name))}
        embedded={embedded}
        onClear={clear}
        end={
          <>
            <span className="d-tools">
              <ColumnsMenu
                columns={offered.map((name) => ({ key: name, title: t(`${resource.name}.fields.${name}`) }))}
                hidden={new Set(offered.filter((name) => !shownNames.includes(name)))}
                onChange={(hidden) => setChosenColumns(offered.filter((name) => !hidden.has(name)))}
              />
              <DensityMenu value={density} onChange={setDensity} />
            </span>
            {embedded && canMake && !isBare && (
              <Button kind="soft" size="s" icon={Plus} onPress={make}>
                {word('new')}
              </Button>
            )}
          </>
        }
      />
      <div data-stale={list.stale ? '' : undefined} className="d-rows">
        <DataTable
          label={heading}
          main={!embedded}
          hand={hand}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.id}
          rowName={nameOf}
          sort={sort}
          onSort={({ key, direction }) => setQuery({ sort: direction === 'desc' ? `-${key}` : key })}
          {...(embedded ? {} : { selected, onSelect: setSelected })}
          onOpen={open}
          rowHref={hrefOf}
          {...(hasMenu ? { menu, phoneMenu: !resource.screens?.card } : {})}
          density={density}
          {...(clothes.isOff ? { isOff: clothes.isOff } : {})}
          {...(clothes.phoneGroup ? { phoneGroup: clothes.phoneGroup } : {})}
          isNew={({ id }) => isFresh(id)}
          loading={list.loading}
          empty={empty}
        />
      </div>
      {rows.length > 0 && (
        <Pager
          shown={rows.length}
          sums={sumsOf(resource, rows, t)}
          hasMore={list.hasMore}
          onMore={list.more}
          busy={list.loadingMore}
          size={size}
          onSize={(next) => {
            setSize(next)
            store.set('psize', String(next))
          }}
        />
      )}
      <SelectionBar
        count={selected.size}
        sums={sumsOf(resource, chosen, t)}
        onClear={() => setSelected(new Set())}
      >
        {!inArchive &&
          clothes.bulk?.(t).map((one) => (
            <Button
              key={one.key}
              kind="quiet"
              size="s"
              icon={one.icon}
              hi={one.hi ?? false}
              onPress={() => one.run(chosen)}
            >
              {one.label}
            </Button>
          ))}
        <Menu
          placement="top end"
          label={t('kit.lists.export')}
          items={exportItems([...selected].slice(0, MOST_EXPORTED_IDS))}
          trigger={
            <Button
              kind="quiet"
              size="s"
              icon={Download}
              {...(selected.size > MOST_EXPORTED_IDS
                ? { blocked: t('kit.lists.tooManyToExport', { most: MOST_EXPORTED_IDS }) }
                : {})}
            >
              {t('kit.lists.export')}
            </Button>
          }
        />
        {hasArchive &&
          mayChange &&
          (inArchive ? (
            <Button
              kind="quiet"
              size="s"
              icon={ArchiveRestore}
              onPress={() => move([...selected], 'restore')}
            >
              {t('kit.lists.restore')}
            </Button>
          ) : (
            <Button kind="quiet" size="s" icon={Archive} onPress={() => move([...selected], 'archive')}>
              {t('kit.lists.archive')}
            </Button>
          ))}
      </SelectionBar>
      {sheet && (
        <RecordSheet
          resource={resource}
          {...(sheet.row ? { record: sheet.row } : fixed ? { values: fixed } : {})}
          {...(fixed ? { hidden: Object.keys(fixed) } : {})}
          {...(sheet.row ? {} : { begun: ahead.take })}
          onClose={() => setSheet(undefined)}
          onSaved={(row) => {
            setSheet(undefined)
            if (!sheet.row) setMade(row.id)
            const href = hrefOf(row)
            // A new record may stand beyond the rows that are shown: what tells of it leads to it.
            banner.success(
              sheet.row || !href ? (
                t('kit.forms.saved')
              ) : (
                <>
                  {t('kit.forms.saved')}{' '}
                  <Link className="link" href={href}>
                    <bdi>{nameOf(row)}</bdi>
                  </Link>
                </>
              ),
            )
          }}
        />
      )}
    </>
  )
}
