import { FileUp, type LucideIcon } from 'lucide-react'
import { useId, useRef, useState, type ReactNode } from 'react'
import { useWords } from '../words/words.tsx'
import { Icon } from './Icon.tsx'
import { ProgressRow } from './ProgressRow.tsx'

/** 2 GB, 1.4 MB, 320 KB: for limits and names of files. */
export const fileSize = (bytes: number): string =>
  bytes >= 1_073_741_824
    ? `${Math.round(bytes / 107_374_182.4) / 10} GB`
    : bytes >= 1_048_576
      ? `${Math.round(bytes / 104_857.6) / 10} MB`
      : `${Math.max(1, Math.round(bytes / 1024))} KB`

export interface FileDropProps {
  /** As of an input: 'image/jpeg,image/png,.pdf'. */
  accept?: string
  multiple?: boolean
  /** In bytes. */
  limit?: number
  icon?: LucideIcon
  /** In place of the common sentence. */
  children?: ReactNode
  /** On a phone: opens the camera at once. */
  camera?: boolean
  onFiles: (files: File[]) => void
  label?: string
  autoFocus?: boolean | undefined
  /** Why the file that was sent does not fit, said where it was chosen. */
  refused?: string | undefined
  /** The file that is under way, and its action: its progress is shown in this place meanwhile. */
  sending?: { name: string; note: string } | undefined
}

const fits = (file: File, accept: string) =>
  accept.split(',').some((one) => {
    const rule = one.trim().toLowerCase()
    if (rule.startsWith('.')) return file.name.toLowerCase().endsWith(rule)
    return rule.endsWith('/*') ? file.type.startsWith(rule.slice(0, -1)) : file.type === rule
  })

/**
 * The kinds as people know them, each once: a rule by content (text/plain) says what an ending (.txt) says
 * already.
 */
const kindsOf = (accept: string): string => {
  const rules = accept.split(',').map((one) => one.trim().toUpperCase())
  const endings = rules.filter((one) => one.startsWith('.')).map((one) => one.slice(1))
  const named = rules
    .filter((one) => /^(IMAGE\/[^*]|APPLICATION\/(PDF|XML|ZIP)$)/.test(one))
    .map((one) => one.replace(/^.*\//, '').replace('SVG+XML', 'SVG'))
  const all = [...endings, ...named].map((one) => (one === 'JPEG' ? 'JPG' : one))
  return [...new Set(all.length > 0 ? all : rules.map((one) => one.replace(/^.*[/.]/, '')))]
    .filter((one) => one && one !== '*')
    .join(', ')
}

/**
 * A place to drop files on, which is also a button that chooses them. What does not fit is refused with the
 * reason.
 */
export function FileDrop({
  accept,
  multiple,
  limit,
  icon = FileUp,
  children,
  camera,
  onFiles,
  label,
  autoFocus,
  refused,
  sending,
}: FileDropProps) {
  const t = useWords()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [over, setOver] = useState(false)
  const [unfit, setUnfit] = useState<string>()
  const problem = unfit ?? refused
  const take = (list: FileList | null) => {
    const files = [...(list ?? [])].slice(0, multiple ? undefined : 1)
    const wrong = accept && files.find((file) => !fits(file, accept))
    const large = limit !== undefined && files.find((file) => file.size > limit)
    const kinds = kindsOf(accept ?? '')
    setUnfit(
      wrong
        ? t('kit.errors.fileKind', { kinds })
        : large
          ? t('kit.errors.fileSize', { limit: fileSize(limit!) })
          : undefined,
    )
    if (!wrong && !large && files.length > 0) onFiles(files)
  }
  return (
    <div className="grid gap-1.5">
      {sending && <ProgressRow title={sending.name} note={sending.note} />}
      {/* Out of sight, not gone: a file that is refused gives it the cursor back. */}
      <button
        type="button"
        className="k-drop"
        hidden={sending !== undefined}
        autoFocus={autoFocus}
        data-over={over ? '' : undefined}
        aria-describedby={problem ? `${id}-m` : undefined}
        aria-label={label}
        onClick={() => input.current?.click()}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          take(event.dataTransfer.files)
        }}
      >
        <Icon of={icon} size="l" />
        <span>
          <span className="block">{children ?? t('kit.file.drop')}</span>
          {limit !== undefined && (
            <span className="hint text-12">{t('kit.file.limit', { limit: fileSize(limit) })}</span>
          )}
        </span>
      </button>
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        multiple={multiple}
        {...(camera ? { capture: 'environment' as const } : {})}
        onChange={(event) => {
          take(event.target.files)
          event.target.value = ''
        }}
      />
      {problem && (
        <span id={`${id}-m`} className="k-msg" data-tone="late" role="alert">
          {problem}
        </span>
      )}
    </div>
  )
}
