import { Download, Paperclip } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { call, failureText } from '#kit/web/calls/call.ts'
import { Card } from '#kit/web/parts/Card.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { FileDrop, fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import {
  addTicketFile,
  deskFile,
  maxTicketFileBytes,
  mostTicketFiles,
  ticketFile,
  type Ticket,
} from '../endpoints.ts'

/** The files of one of my tickets, and a place for more while it is open. */
export function TicketFiles({ of: ticket, onAdded }: { of: Ticket; onAdded: (next: Ticket) => void }) {
  const t = useWords()
  const [sending, setSending] = useState<string>()
  const [refused, setRefused] = useState<string>()
  const isOpen = ticket.state !== 'closed' && ticket.files.length < mostTicketFiles
  if (!isOpen && ticket.files.length === 0) return null
  const add = async (files: readonly File[]) => {
    setRefused(undefined)
    for (const file of files) {
      setSending(file.name)
      try {
        onAdded(await call(addTicketFile, { id: ticket.id, name: file.name, bytes: file }))
      } catch (e) {
        setRefused(`${file.name}: ${failureText(t, e)}`)
        break
      }
    }
    setSending(undefined)
  }
  return (
    <Card title={t('support.files')}>
      <div className="grid gap-3">
        <Listed
          of={ticket.files}
          save={(id, name) => (
            <FileButton
              {...button(t('support.saveFile', { name }))}
              endpoint={ticketFile}
              input={{ id: ticket.id, fileId: id }}
            />
          )}
        />
        {isOpen && (
          <FileDrop
            multiple
            icon={Paperclip}
            limit={maxTicketFileBytes}
            refused={refused}
            sending={sending === undefined ? undefined : { name: sending, note: t('support.addingFile') }}
            onFiles={(files) => void add(files)}
          >
            {t('support.addFiles')}
          </FileDrop>
        )}
      </div>
    </Card>
  )
}

/** The same for the person who answers. */
export function DeskFiles({ of: ticket }: { of: Ticket }) {
  const t = useWords()
  if (ticket.files.length === 0) return null
  return (
    <Card title={t('support.files')}>
      <Listed
        of={ticket.files}
        save={(id, name) => (
          <FileButton
            {...button(t('support.saveFile', { name }))}
            endpoint={deskFile}
            input={{ number: ticket.number, fileId: id }}
          />
        )}
      />
    </Card>
  )
}

const button = (label: string) => ({ kind: 'quiet', size: 's', icon: Download, label }) as const

function Listed({ of: files, save }: { of: Ticket['files']; save: (id: string, name: string) => ReactNode }) {
  const t = useWords()
  if (files.length === 0) return null
  return (
    <ul className="su-files" aria-label={t('support.files')}>
      {files.map(({ id, name, size }) => (
        <li key={id}>
          <Icon of={Paperclip} size="s" />
          <span className="grow" dir="auto">
            {name}
          </span>
          <Num>{fileSize(size)}</Num>
          {save(id, name)}
        </li>
      ))}
    </ul>
  )
}
