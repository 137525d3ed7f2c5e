/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- rows and the page hear what is dragged; the menu does the same by key */
import { useInfiniteQuery } from '@tanstack/react-query'
import {
  Download,
  Ellipsis,
  Eye,
  FolderInput,
  FolderOpen,
  FolderPlus,
  Files as FilesIcon,
  Pencil,
  SearchX,
  Share2,
  Trash2,
  Upload,
} from 'lucide-react'
import { Suspense, useEffect, useEffectEvent, useRef, useState, type DragEvent } from 'react'
import { call, useCall, useFailureText } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { MoreRows } from '#kit/web/parts/MoreRows.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { EmptyState } from '#kit/web/parts/EmptyState.tsx'
import { Failed } from '#kit/web/parts/Failed.tsx'
import { FilterBar } from '#kit/web/parts/FilterBar.tsx'
import { Menu, type MenuEntry } from '#kit/web/parts/Menu.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { SelectionBar } from '#kit/web/parts/SelectionBar.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { banner, toast } from '#kit/web/parts/notices.ts'
import { usePlace } from '#kit/web/routes/place.ts'
import { partsOf } from '#kit/web/screens/places.ts'
import { useCan } from '#kit/web/session/session.ts'
import { useStateFor } from '#kit/web/hooks/useStateFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  changeFile,
  changeFolder,
  listFiles,
  listFolders,
  makeFolder,
  removeFile,
  removeFolder,
  type Folder,
  type StoredFile,
} from '../endpoints.ts'
import { MoveDialog, NameDialog } from './Dialogs.tsx'
import { FileFacts } from './FilesPanel.tsx'
import { accepted } from './kinds.ts'
import { Links } from './Links.tsx'
import { dragKind, FolderRow, Place, Room } from './Places.tsx'
import { Preview, useDownload } from './Preview.tsx'
import { Thumb } from './Thumb.tsx'
import { inOrder, pathTo } from './tree.ts'
import { UploadList } from './UploadList.tsx'
import { refreshFiles, upload } from './uploads.ts'
import './files.css'

const kinds = ['picture', 'pdf', 'other'] as const
const uploadPlace = 'store'

type Asked =
  | { what: 'newFolder' }
  | { what: 'renameFolder' | 'moveFolder' | 'removeFolder'; folder: Folder }
  | { what: 'rename' | 'remove' | 'share'; file: StoredFile }
  | { what: 'move'; files: readonly StoredFile[] }

/** The store of files: folders, what lies in them, and what each is attached to. */
export function Screen() {
  const t = useWords()
  const say = useFailureText()
  const may = useCan()('files.change')
  const download = useDownload()
  const { query, setQuery } = usePlace()
  const [asked, setAsked] = useState<Asked>()
  const [Share] = partsOf('fileShare')
  const [shown, setShown] = useState<StoredFile>()
  const [over, setOver] = useState(false)
  const chooser = useRef<HTMLInputElement>(null)
  const { data: store } = useCall(listFolders, {})
  const folders = store?.rows ?? []
  const here = query.folder && query.folder !== 'all' ? query.folder : undefined
  const [chosen, setChosen] = useStateFor<ReadonlySet<string>>(
    JSON.stringify([here, query.q, query.kind]),
    new Set(),
  )
  const everywhere = query.folder === 'all' || Boolean(query.q) || Boolean(query.kind)
  const search = useTyped(query.q ?? '', (q) => setQuery({ q: q || undefined }))
  const input = {
    ...(here ? { folder: here } : everywhere ? {} : { folder: 'top' }),
    ...(query.q ? { q: query.q } : {}),
    ...(query.kind ? { kind: query.kind as (typeof kinds)[number] } : {}),
  }
  const found = useInfiniteQuery({
    queryKey: [listFiles.name, input],
    queryFn: ({ pageParam, signal }) =>
      call(listFiles, { ...input, ...(pageParam ? { cursor: pageParam } : {}) }, { signal }),
    initialPageParam: '',
    getNextPageParam: (page) => page.nextCursor ?? undefined,
  })
  const { data, error, isLoading, refetch } = found
  const rows = data?.pages.flatMap((page) => page.rows) ?? []
  const selected = rows.filter(({ id }) => chosen.has(id))
  const inside = everywhere && !here ? [] : folders.filter(({ parentId }) => parentId === (here ?? null))
  const path = pathTo(folders, here)

  const send = (files: File[]) => upload(uploadPlace, files, here ? { folder: here } : {})
  const attempt = async (deed: () => Promise<unknown>) => {
    try {
      await deed()
    } catch (e) {
      banner('late', say(e))
    }
    await refreshFiles()
  }
  const moveFiles = async (files: readonly StoredFile[], folderId: string | null) => {
    const moved = files.filter((file) => file.folderId !== folderId)
    if (!moved.length) return
    for (const { id } of moved) await call(changeFile, { id, folderId })
    await refreshFiles()
    setChosen(new Set())
    const to = folders.find(({ id }) => id === folderId)?.name ?? t('files.top')
    toast(
      t('files.moved', { count: moved.length, to }),
      () =>
        void attempt(async () => {
          for (const { id, folderId: before } of moved) await call(changeFile, { id, folderId: before })
        }),
    )
  }
  const dropOn = (folderId: string | null) => ({
    onDrop: (event: DragEvent) => {
      const ids = event.dataTransfer.getData(dragKind)
      if (!ids || !may) return
      event.preventDefault()
      event.stopPropagation()
      void attempt(() =>
        moveFiles(
          rows.filter(({ id }) => ids.split(',').includes(id)),
          folderId,
        ),
      )
    },
    accepts: may,
  })
  const folderMenu = (folder: Folder): MenuEntry[] => [
    {
      key: 'rename',
      label: t('files.rename'),
      icon: Pencil,
      onPress: () => setAsked({ what: 'renameFolder', folder }),
    },
    {
      key: 'move',
      label: t('files.move'),
      icon: FolderInput,
      onPress: () => setAsked({ what: 'moveFolder', folder }),
    },
    'line',
    {
      key: 'remove',
      label: t('files.removeFolder'),
      icon: Trash2,
      tone: 'danger',
      onPress: () => setAsked({ what: 'removeFolder', folder }),
    },
  ]
  const open = (folder: string | undefined) =>
    setQuery({ folder, q: undefined, kind: undefined }, { push: true })

  return (
    <div
      className="fi-store"
      data-over={over ? '' : undefined}
      onDragOver={(event) => {
        if (!may || !event.dataTransfer.types.includes('Files')) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        if (!may || !event.dataTransfer.files.length) return
        event.preventDefault()
        send([...event.dataTransfer.files])
      }}
    >
      <PageHeader
        title={t('screens.files')}
        sub={store ? <Room kept={store.keptBytes} quota={store.quotaBytes} /> : '\u00a0'}
        actions={
          may && (
            <>
              <Button icon={FolderPlus} onPress={() => setAsked({ what: 'newFolder' })}>
                {t('files.newFolder')}
              </Button>
              <Button kind="primary" icon={Upload} onPress={() => chooser.current?.click()}>
                {t('files.upload')}
              </Button>
            </>
          )
        }
      />
      <input
        ref={chooser}
        type="file"
        hidden
        multiple
        accept={accepted}
        aria-label={t('files.upload')}
        onChange={(event) => {
          send([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <div className="fi-grid">
        <nav className="fi-tree k-card" aria-label={t('files.folders')}>
          <Place
            name={t('files.top')}
            depth={0}
            on={!everywhere && !here}
            onOpen={() => open(undefined)}
            {...dropOn(null)}
          />
          {inOrder(folders).map((folder) => (
            <Place
              key={folder.id}
              name={folder.name}
              count={folder.files}
              depth={folder.depth + 1}
              on={here === folder.id}
              onOpen={() => open(folder.id)}
              menu={may ? folderMenu(folder) : undefined}
              {...dropOn(folder.id)}
            />
          ))}
          <Place
            name={t('files.all')}
            depth={0}
            icon={FilesIcon}
            on={everywhere && !here}
            onOpen={() => open('all')}
            accepts={false}
          />
        </nav>
        <div className="fi-main">
          <FilterBar
            search={search.value}
            onSearch={search.put}
            placeholder={t('files.search')}
            filters={[
              {
                key: 'kind',
                label: t('files.kind'),
                ...(query.kind ? { value: t(`files.kinds.${query.kind}`) } : {}),
                edit: (close) => (
                  <ChoiceField
                    label={t('files.kind')}
                    hideLabel
                    value={(query.kind as (typeof kinds)[number] | undefined) ?? null}
                    choices={kinds.map((value) => ({ value, label: t(`files.kinds.${value}`) }))}
                    onChange={(kind) => {
                      setQuery({ kind: kind ?? undefined })
                      close()
                    }}
                  />
                ),
                onClear: () => setQuery({ kind: undefined }),
              },
            ]}
          />
          {path.length > 0 && (
            <ol className="k-crumbs fi-path" aria-label={t('files.folders')}>
              {[{ id: undefined, name: t('files.top') }, ...path].map(({ id, name }) => (
                <li key={id ?? 'top'}>
                  <button type="button" className="link" disabled={id === here} onClick={() => open(id)}>
                    <bdi>{name}</bdi>
                  </button>
                </li>
              ))}
            </ol>
          )}
          <UploadList place={uploadPlace} />
          {error ? (
            <Failed error={error} onRetry={refetch} />
          ) : isLoading ? (
            <Skeleton lines={6} />
          ) : rows.length + inside.length === 0 ? (
            query.q || query.kind ? (
              <EmptyState icon={SearchX} title={t('kit.lists.noneFit')} />
            ) : (
              <EmptyState
                icon={FolderOpen}
                title={t(here ? 'files.emptyFolder' : 'files.empty.title')}
                actions={
                  may && (
                    <Button kind="soft" icon={Upload} onPress={() => chooser.current?.click()}>
                      {t('files.upload')}
                    </Button>
                  )
                }
              >
                {t('files.empty.text')}
              </EmptyState>
            )
          ) : (
            <ul className="fi-list k-card fi-rows" aria-label={t('screens.files')}>
              {inside.map((folder) => (
                <FolderRow
                  key={folder.id}
                  folder={folder}
                  onOpen={() => open(folder.id)}
                  menu={may ? folderMenu(folder) : []}
                  {...dropOn(folder.id)}
                />
              ))}
              {rows.map((file) => (
                <li
                  key={file.id}
                  data-chosen={chosen.has(file.id) ? '' : undefined}
                  draggable={may}
                  onDragStart={(event) => {
                    const ids = chosen.has(file.id) ? [...chosen] : [file.id]
                    event.dataTransfer.setData(dragKind, ids.join(','))
                    event.dataTransfer.effectAllowed = 'move'
                  }}
                >
                  {may && (
                    <label className="fi-hit">
                      <input
                        type="checkbox"
                        className="fi-tick"
                        aria-label={t('files.choose1', { name: file.name })}
                        checked={chosen.has(file.id)}
                        onChange={(event) => {
                          const next = new Set(chosen)
                          if (event.target.checked) next.add(file.id)
                          else next.delete(file.id)
                          setChosen(next)
                        }}
                      />
                    </label>
                  )}
                  <button type="button" className="open" onClick={() => setShown(file)}>
                    <Thumb id={file.id} mime={file.mime} />
                    <span className="grow">
                      <span className="name cut" dir="auto" title={file.name}>
                        {file.name}
                      </span>
                      <FileFacts file={file} />
                    </span>
                  </button>
                  <Links of={file.links} />
                  <Menu
                    trigger={
                      <Button
                        kind="quiet"
                        icon={Ellipsis}
                        label={t('files.actionsOf', { name: file.name })}
                      />
                    }
                    items={[
                      { key: 'show', label: t('files.show'), icon: Eye, onPress: () => setShown(file) },
                      {
                        key: 'save',
                        label: t('files.download'),
                        icon: Download,
                        onPress: () => download(file),
                      },
                      ...(may
                        ? ([
                            ...(Share
                              ? [
                                  {
                                    key: 'share',
                                    label: t('files.share'),
                                    icon: Share2,
                                    onPress: () => setAsked({ what: 'share', file }),
                                  },
                                ]
                              : []),
                            {
                              key: 'rename',
                              label: t('files.rename'),
                              icon: Pencil,
                              onPress: () => setAsked({ what: 'rename', file }),
                            },
                            {
                              key: 'move',
                              label: t('files.move'),
                              icon: FolderInput,
                              onPress: () => setAsked({ what: 'move', files: [file] }),
                            },
                            'line',
                            {
                              key: 'remove',
                              label: t('files.remove'),
                              icon: Trash2,
                              tone: 'danger',
                              disabled: file.links.length > 0,
                              ...(file.links.length > 0 ? { hint: t('files.isAttached') } : {}),
                              onPress: () => setAsked({ what: 'remove', file }),
                            },
                          ] as const)
                        : []),
                    ]}
                  />
                </li>
              ))}
            </ul>
          )}
          <MoreRows of={found} />
          <SelectionBar count={selected.length} onClear={() => setChosen(new Set())}>
            <Button
              kind="quiet"
              hi
              icon={FolderInput}
              onPress={() => setAsked({ what: 'move', files: selected })}
            >
              {t('files.move')}
            </Button>
          </SelectionBar>
        </div>
      </div>
      {shown && <Preview of={shown} among={rows} onShow={setShown} onClose={() => setShown(undefined)} />}
      {asked?.what === 'newFolder' && (
        <NameDialog
          title={t('files.newFolder')}
          verb={t('files.make')}
          onClose={() => setAsked(undefined)}
          onName={(name) => call(makeFolder, { name, parentId: here ?? null }).then(refreshFiles)}
        />
      )}
      {asked?.what === 'renameFolder' && (
        <NameDialog
          title={t('files.renameFolder')}
          verb={t('files.rename')}
          start={asked.folder.name}
          onClose={() => setAsked(undefined)}
          onName={(name) => call(changeFolder, { id: asked.folder.id, name }).then(refreshFiles)}
        />
      )}
      {asked?.what === 'moveFolder' && (
        <MoveDialog
          name={asked.folder.name}
          folders={folders}
          from={asked.folder.parentId}
          moving={asked.folder.id}
          onClose={() => setAsked(undefined)}
          onMove={(parentId) => call(changeFolder, { id: asked.folder.id, parentId }).then(refreshFiles)}
        />
      )}
      {asked?.what === 'rename' && (
        <NameDialog
          title={t('files.renameFile')}
          verb={t('files.rename')}
          start={asked.file.name}
          onClose={() => setAsked(undefined)}
          onName={(name) => call(changeFile, { id: asked.file.id, name }).then(refreshFiles)}
        />
      )}
      {asked?.what === 'share' && Share && (
        <Suspense>
          <Share of={asked.file.id} refresh={() => setAsked(undefined)} />
        </Suspense>
      )}
      {asked?.what === 'move' && (
        <MoveDialog
          name={
            asked.files.length === 1 ? asked.files[0]!.name : t('files.count', { count: asked.files.length })
          }
          folders={folders}
          from={asked.files[0]!.folderId}
          onClose={() => setAsked(undefined)}
          onMove={(folderId) => moveFiles(asked.files, folderId)}
        />
      )}
      <Question
        isOpen={asked?.what === 'removeFolder'}
        onClose={() => setAsked(undefined)}
        title={t('files.removeFolderAsk', { name: asked?.what === 'removeFolder' ? asked.folder.name : '' })}
        verb={t('files.removeFolder')}
        danger
        onConfirm={() =>
          attempt(async () => {
            if (asked?.what !== 'removeFolder') return
            await call(removeFolder, { id: asked.folder.id })
            if (path.some(({ id }) => id === asked.folder.id)) open(undefined)
          })
        }
      >
        {t('files.removeFolderText')}
      </Question>
      <Question
        isOpen={asked?.what === 'remove'}
        onClose={() => setAsked(undefined)}
        title={t('files.removeAsk', { name: asked?.what === 'remove' ? asked.file.name : '' })}
        verb={t('files.remove')}
        danger
        onConfirm={() =>
          attempt(async () =>
            asked?.what === 'remove' ? call(removeFile, { id: asked.file.id }) : undefined,
          )
        }
      >
        {t('files.removeText')}
      </Question>
    </div>
  )
}

/** What is typed goes into the address when the hand rests. */
function useTyped(
  kept: string,
  onRest: (text: string) => void,
): { value: string; put: (text: string) => void } {
  const [typed, setTyped] = useState<string>()
  const rest = useEffectEvent(onRest)
  useEffect(() => {
    if (typed === undefined) return
    const timer = setTimeout(() => {
      rest(typed.trim())
      setTyped(undefined)
    }, 300)
    return () => clearTimeout(timer)
  }, [typed])
  return { value: typed ?? kept, put: setTyped }
}
