import { Download, Ellipsis, Eye, Paperclip, Unlink } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { formatMoment } from '#domain/format.ts'
import { call, useCall, useFailureText } from '#kit/web/calls/call.ts'
import { RefField } from '#kit/web/fields/RefField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Menu } from '#kit/web/parts/Menu.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { banner, toast } from '#kit/web/parts/notices.ts'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { attach, detach, filesOfThing, listFiles, type StoredFile } from '../endpoints.ts'
import { PickFiles } from './PickFiles.tsx'
import { Preview, useDownload } from './Preview.tsx'
import { Thumb } from './Thumb.tsx'
import { UploadList } from './UploadList.tsx'
import { refreshFiles, upload } from './uploads.ts'
import './files.css'

export interface FilesPanelProps {
  /** The resource's name, as it was registered with `registerAttachable`. */
  entity: string
  id: string
  /** Whether files may be added and taken off; the server asks again. */
  mayChange?: boolean
  /** More about each file, below it. */
  under?: (file: StoredFile) => ReactNode
}

/** The files of one thing: dropped or photographed, seen, saved, taken off. */
export function FilesPanel({ entity, id, mayChange, under }: FilesPanelProps) {
  const t = useWords()
  const say = useFailureText()
  const may = useCan()
  const download = useDownload()
  const [shown, setShown] = useState<StoredFile>()
  const { data, error, isLoading, refetch } = useCall(filesOfThing, { entity, id })
  const rows = data?.rows ?? []
  const place = `${entity}/${id}`

  const hang = async (fileId: string) => {
    try {
      await call(attach, { id: fileId, entity, entityId: id })
    } catch (e) {
      banner('late', say(e))
    }
    await refreshFiles()
  }
  const takeOff = async (file: StoredFile) => {
    const link = { id: file.id, entity, entityId: id }
    try {
      await call(detach, link)
      toast(
        t('files.tookOff', { name: file.name }),
        () => void call(attach, link).then(refreshFiles, (e: unknown) => banner('late', say(e))),
      )
    } catch (e) {
      banner('late', say(e))
    }
    await refreshFiles()
  }

  if (isLoading) return <Skeleton lines={3} />
  if (error)
    return (
      <p className="fi-none" role="alert">
        {say(error)}{' '}
        <Button size="s" onPress={() => void refetch()}>
          {t('kit.actions.retry')}
        </Button>
      </p>
    )
  return (
    <div className="fi-panel">
      {mayChange && <PickFiles onFiles={(files) => upload(place, files, { entity, entityId: id })} />}
      {mayChange && may('files.see') && (
        <RefField
          label={t('files.fromStore')}
          hideLabel
          placeholder={t('files.fromStore')}
          optional
          value={null}
          onChange={(option) => option && void hang(option.key)}
          search={async (q, signal) => {
            const found = await call(listFiles, q ? { q } : {}, { signal })
            return found.rows
              .filter((file) => !rows.some((one) => one.id === file.id))
              .slice(0, 10)
              .map((file) => ({
                key: file.id,
                label: file.name,
                hint: `${fileSize(file.size)} · ${formatMoment(new Date(file.createdAt))}`,
              }))
          }}
        />
      )}
      <UploadList place={place} />
      {rows.length === 0 ? (
        !mayChange && (
          <p className="fi-none">
            <Icon of={Paperclip} /> {t('files.noneHere')}
          </p>
        )
      ) : (
        <ul className="fi-list" aria-label={t('files.attached')}>
          {rows.map((file) => (
            <li key={file.id}>
              <button type="button" className="open" onClick={() => setShown(file)}>
                <Thumb id={file.id} mime={file.mime} />
                <span className="grow">
                  <span className="name cut" dir="auto" title={file.name}>
                    {file.name}
                  </span>
                  <FileFacts file={file} />
                </span>
              </button>
              <Menu
                trigger={
                  <Button kind="quiet" icon={Ellipsis} label={t('files.actionsOf', { name: file.name })} />
                }
                items={[
                  { key: 'show', label: t('files.show'), icon: Eye, onPress: () => setShown(file) },
                  { key: 'save', label: t('files.download'), icon: Download, onPress: () => download(file) },
                  ...(mayChange
                    ? ([
                        'line',
                        {
                          key: 'off',
                          label: t('files.takeOff'),
                          icon: Unlink,
                          onPress: () => void takeOff(file),
                        },
                      ] as const)
                    : []),
                ]}
              />
              {under?.(file)}
            </li>
          ))}
        </ul>
      )}
      {shown && <Preview of={shown} among={rows} onShow={setShown} onClose={() => setShown(undefined)} />}
    </div>
  )
}

/** Size, day and hand, in one quiet line. */
export function FileFacts({ file }: { file: StoredFile }) {
  return (
    <span className="facts">
      <Num>{fileSize(file.size)}</Num> · <Num>{formatMoment(new Date(file.createdAt))}</Num>
      {file.by && (
        <>
          {' · '}
          <bdi>{file.by}</bdi>
        </>
      )}
    </span>
  )
}
