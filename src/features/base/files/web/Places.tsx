/* oxlint-disable jsx-a11y/no-noninteractive-element-interactions -- a folder hears what is dropped on it; the menu does the same by key */
import { Ellipsis, Folder as FolderIcon, FolderOpen, type LucideIcon } from 'lucide-react'
import { useState, type DragEvent } from 'react'
import { Button } from '#kit/web/parts/Button.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Menu, type MenuEntry } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import type { Folder } from '../endpoints.ts'

/** What travels while something of ours is dragged. */
export const dragKind = 'application/x-pinkas-files'

interface DropPlace {
  onDrop?: (event: DragEvent) => void
  accepts: boolean
}

/** Lights up while one of our files is held over it. */
function useDropPlace({ onDrop, accepts }: DropPlace) {
  const [over, setOver] = useState(false)
  return {
    'data-over': over ? '' : undefined,
    onDragOver: (event: DragEvent) => {
      if (!accepts || !event.dataTransfer.types.includes(dragKind)) return
      event.preventDefault()
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      onDrop?.(event)
    },
  }
}

/** A line of the tree: opens a folder, takes what is dropped on it. */
export function Place({
  name,
  count,
  depth,
  on,
  icon,
  onOpen,
  menu,
  ...drop
}: {
  name: string
  count?: number
  depth: number
  on: boolean
  icon?: LucideIcon
  onOpen: () => void
  menu?: MenuEntry[] | undefined
} & DropPlace) {
  const t = useWords()
  const place = useDropPlace(drop)
  return (
    <div className="fi-branch">
      <button
        type="button"
        className="fi-place"
        style={{ paddingInlineStart: `${depth * 1 + 0.5}rem` }}
        aria-current={on ? 'true' : undefined}
        onClick={onOpen}
        {...place}
      >
        <Icon of={icon ?? (on ? FolderOpen : FolderIcon)} />
        <span className="cut" dir="auto" title={name}>
          {name}
        </span>
        {count !== undefined && count > 0 && (
          <span className="hint text-12">
            <Num>{count}</Num>
          </span>
        )}
      </button>
      {menu && (
        <Menu
          trigger={<Button kind="quiet" size="s" icon={Ellipsis} label={t('files.actionsOf', { name })} />}
          items={menu}
        />
      )}
    </div>
  )
}

/** A folder among the files. */
export function FolderRow({
  folder,
  onOpen,
  menu,
  ...drop
}: { folder: Folder; onOpen: () => void; menu: MenuEntry[] } & DropPlace) {
  const t = useWords()
  const place = useDropPlace(drop)
  return (
    <li className="fi-folder" {...place}>
      <button type="button" className="open" onClick={onOpen}>
        <span className="fi-thumb" aria-hidden>
          <Icon of={FolderIcon} size="l" />
        </span>
        <span className="grow">
          <span className="name cut" dir="auto" title={folder.name}>
            {folder.name}
          </span>
          <span className="facts">{t('files.count', { count: folder.files })}</span>
        </span>
      </button>
      {menu.length > 0 && (
        <Menu
          trigger={
            <Button kind="quiet" icon={Ellipsis} label={t('files.actionsOf', { name: folder.name })} />
          }
          items={menu}
        />
      )}
    </li>
  )
}

/** From here on the bar warns. */
const fullShare = 0.9

/** How much of the room is used. */
export function Room({ kept, quota }: { kept: number; quota: number }) {
  const t = useWords()
  const share = quota > 0 ? Math.min(1, kept / quota) : 1
  return (
    <span className="fi-room">
      <span
        className="k-track"
        data-failed={share >= fullShare ? '' : undefined}
        role="meter"
        aria-label={t('files.room')}
        aria-valuenow={Math.round(share * 100)}
        aria-valuemin={0}
        aria-valuemax={100}
      >
        <i style={{ inlineSize: `${Math.max(share * 100, kept > 0 ? 1 : 0)}%` }} />
      </span>
      <span>{t('files.roomOf', { kept: large(kept), quota: large(quota) })}</span>
    </span>
  )
}

const large = (bytes: number): string =>
  bytes >= 1024 ** 3 ? `${Math.round((bytes / 1024 ** 3) * 10) / 10} GB` : bytes === 0 ? '0' : fileSize(bytes)
