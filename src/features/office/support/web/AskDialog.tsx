import { Paperclip, Send, X } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, queryClient } from '#kit/web/calls/call.ts'
import { ChoiceField } from '#kit/web/fields/ChoiceField.tsx'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { LongText, TextField } from '#kit/web/fields/TextField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FileDrop, fileSize } from '#kit/web/parts/FileDrop.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { go } from '#kit/web/routes/place.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useObjectUrl } from '#kit/web/calls/useObjectUrl.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  addTicketFile,
  addTicketPicture,
  askSupport,
  maxTicketFileBytes,
  mostTicketFiles,
  severities,
} from '../endpoints.ts'
import { browserName } from './browserName.ts'
import './support.css'

export interface AskProps {
  kind: 'question' | 'fault'
  /** The picture of the page that was asked from, taken before this dialog lay over it. */
  picture?: Blob | undefined
  /** The page that was asked from. */
  page?: string | undefined
  article?: string | undefined
  subject?: string | undefined
  onClose: () => void
}

/** Chosen twice is added once. */
const isSame = (one: File, other: File): boolean =>
  one.name === other.name && one.size === other.size && one.lastModified === other.lastModified

/** A question or a fault, with the picture seen before it is sent, and with files that are added by hand. */
export function AskDialog({ kind: given, picture, page, article, subject: first = '', onClose }: AskProps) {
  const t = useWords()
  const [kind, setKind] = useState(given)
  const [severity, setSeverity] = useState<(typeof severities)[number]>('normal')
  const [subject, setSubject] = useState(first)
  const [text, setText] = useState('')
  const [withPicture, setWithPicture] = useState(picture !== undefined)
  const url = useObjectUrl(picture)
  const [files, setFiles] = useState<readonly File[]>([])
  const send = async () => {
    const { id, number } = await call(askSupport, {
      kind,
      severity,
      subject,
      text,
      page: (page ?? '').slice(0, 300),
      browser: browserName(navigator.userAgent, innerWidth),
      ...(article ? { article } : {}),
    })
    // The ticket exists by now: a picture that cannot be uploaded does not affect it.
    const pictured =
      picture && withPicture
        ? await call(addTicketPicture, { id, bytes: picture }).then(
            () => true,
            () => false,
          )
        : true
    const missing: string[] = []
    for (const file of files)
      await call(addTicketFile, { id, name: file.name, bytes: file }).catch((e: unknown) => {
        missing.push(`${file.name}: ${failureText(t, e)}`)
      })
    void queryClient.invalidateQueries({ queryKey: ['support.list'] })
    onClose()
    if (missing.length > 0)
      banner.error(t('support.sentWithoutFiles', { number: String(number), files: missing.join(' · ') }))
    else if (pictured) banner.success(t('support.sent', { number: String(number) }))
    else banner.error(t('support.sentWithoutPicture', { number: String(number) }))
    go(`/invoice/support/${id}`)
  }
  return (
    <FormDialog
      title={t(kind === 'fault' ? 'support.report' : 'support.ask')}
      verb={t('support.send')}
      icon={Send}
      m
      names={['subject', 'text', 'severity']}
      onClose={onClose}
      onSubmit={send}
    >
      {(refusal) => (
        <>
          <ChoiceField
            label={t('support.fields.kind')}
            value={kind}
            onChange={(next) => next && setKind(next)}
            choices={(['question', 'fault'] as const).map((value) => ({
              value,
              label: t(`support.kind.${value}`),
            }))}
          />
          <TextField
            label={t('support.fields.subject')}
            value={subject}
            onChange={setSubject}
            max={200}
            {...refusal('subject', subject)}
            autoFocus
          />
          <LongText
            label={t(kind === 'fault' ? 'support.fields.what' : 'support.fields.text')}
            value={text}
            onChange={setText}
            rows={6}
            max={8000}
            {...refusal('text', text)}
          />
          <ChoiceField
            label={t('support.fields.severity')}
            value={severity}
            onChange={(next) => next && setSeverity(next)}
            choices={severities.map((value) => ({ value, label: t(`support.severity.${value}`) }))}
            {...refusal('severity', severity)}
          />
          {url && (
            <>
              <FlagField
                label={t('support.withPicture')}
                hint={t('support.pictureHint')}
                value={withPicture}
                onChange={setWithPicture}
              />
              {withPicture && <img className="su-shot" src={url} alt={t('support.pictureAlt')} />}
            </>
          )}
          {files.length > 0 && (
            <ul className="su-files" aria-label={t('support.files')}>
              {files.map((file) => (
                <li key={`${file.name}:${file.size}:${file.lastModified}`}>
                  <Icon of={Paperclip} size="s" />
                  <span className="grow" dir="auto">
                    {file.name}
                  </span>
                  <Num>{fileSize(file.size)}</Num>
                  <Button
                    kind="quiet"
                    size="s"
                    icon={X}
                    label={t('support.dropFile', { name: file.name })}
                    onPress={() => setFiles(files.filter((one) => one !== file))}
                  />
                </li>
              ))}
            </ul>
          )}
          {files.length < mostTicketFiles && (
            <FileDrop
              multiple
              icon={Paperclip}
              limit={maxTicketFileBytes}
              onFiles={(more) =>
                setFiles(
                  [...files, ...more.filter((file) => !files.some((one) => isSame(one, file)))].slice(
                    0,
                    mostTicketFiles,
                  ),
                )
              }
            >
              {t('support.addFiles')}
            </FileDrop>
          )}
          <p className="hint text-13">{t('support.alsoSent')}</p>
        </>
      )}
    </FormDialog>
  )
}
