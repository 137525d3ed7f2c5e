import { Settings, ShieldCheck } from 'lucide-react'
import { useEffect, useId, useState, type FormEvent } from 'react'
import { call, failureText, fieldErrors, queryClient, useCall } from '#kit/web/call.ts'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go, usePlace } from '#kit/web/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words.tsx'
import { getSignSettings, maxTemplateBytes, setSignSettings, uploadTemplate } from '../endpoints.ts'
import { signTemplates } from '../signing.ts'
import './dress.tsx'
import './signing.css'

/** Papers with their fields, to be sent as often as one likes. */
export function Screen() {
  const t = useWords()
  const may = useCan()
  const { query, setQuery } = usePlace()
  const [uploads, setUploads] = useState(false)
  const [sets, setSets] = useState(false)
  useEffect(() => {
    if (!query.upload) return
    if (may('signing.templates')) setUploads(true)
    setQuery({ upload: undefined })
  }, [query.upload, setQuery, may])
  return (
    <>
      <ListScreen
        resource={signTemplates}
        archive
        newHref={`${signTemplates.screens.list}?upload=1`}
        more={[
          { key: 'verify', label: t('signing.verify.open'), icon: ShieldCheck, href: '/signverify' },
          ...(may('signing.settings')
            ? [{ key: 'settings', label: t('signing.settings.title'), icon: Settings, onPress: () => setSets(true) }]
            : []),
        ]}
      />
      {uploads && <UploadDialog onClose={() => setUploads(false)} />}
      {sets && <SettingsDialog onClose={() => setSets(false)} />}
    </>
  )
}

function UploadDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const form = useId()
  const [file, setFile] = useState<File>()
  const [name, setName] = useState('')
  const [failure, setFailure] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  const { fields, rest } = failure ? fieldErrors(t, failure, ['name']) : { fields: {} as Record<string, string>, rest: undefined }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (!file) return
    setBusy(true)
    setFailure(undefined)
    try {
      const { id } = await call(uploadTemplate, { name: name.trim() || file.name, bytes: file })
      void queryClient.invalidateQueries({ queryKey: ['signTemplates.list'] })
      onClose()
      go(`/invoice/signtemplate/${id}`)
    } catch (e) {
      setFailure(e)
      setBusy(false)
    }
  }
  return (
    <Dialog
      isOpen
      form
      onClose={onClose}
      title={t('signTemplates.new')}
      actions={
        <>
          <Button kind="quiet" onPress={onClose}>
            {t('kit.actions.back')}
          </Button>
          <Button kind="primary" type="submit" form={form} busy={busy} isDisabled={!file}>
            {t('signTemplates.upload')}
          </Button>
        </>
      }
    >
      <form id={form} className="sg-stack" onSubmit={(event) => void save(event)} noValidate>
        {rest && <Note tone="late">{rest || failureText(t, failure)}</Note>}
        <FileDrop
          accept="application/pdf,.pdf"
          limit={maxTemplateBytes}
          label={t('signTemplates.choose')}
          onFiles={([one]) => {
            if (!one) return
            setFile(one)
            setFailure(undefined)
            setName((before) => before || one.name.replace(/\.pdf$/i, '').slice(0, 200))
          }}
        >
          {file ? <bdi>{file.name}</bdi> : t('signTemplates.choose')}
        </FileDrop>
        <TextField
          label={t('signTemplates.fields.name')}
          value={name}
          onChange={setName}
          {...(fields.name ? { error: fields.name } : {})}
        />
        <p className="hint text-13">{t('signTemplates.uploadText')}</p>
      </form>
    </Dialog>
  )
}

function SettingsDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const { data } = useCall(getSignSettings, {})
  const [given, setGiven] = useState<{ tsaUrl?: string; remind?: string; expireDays?: number | null }>({})
  if (!data) return null
  const tsaUrl = given.tsaUrl ?? data.tsaUrl
  const remind = given.remind ?? data.remindDays.join(', ')
  const expireDays = given.expireDays === undefined ? data.expireDays : given.expireDays
  const save = async () => {
    await call(setSignSettings, {
      tsaUrl,
      remindDays: remind
        .split(/[^\d]+/)
        .filter(Boolean)
        .map(Number),
      expireDays: expireDays ?? 0,
    })
    void queryClient.invalidateQueries({ queryKey: ['signing.settings'] })
    onClose()
    banner.success(t('signing.settings.saved'))
  }
  return (
    <FormDialog
      title={t('signing.settings.title')}
      verb={t('signing.settings.save')}
      names={['tsaUrl', 'remindDays', 'expireDays']}
      onClose={onClose}
      onSubmit={save}
    >
      {(refusal) => (
        <>
          <TextField
            label={t('signing.settings.remindDays')}
            hint={t('signing.settings.remindHint')}
            value={remind}
            onChange={(next) => setGiven({ ...given, remind: next })}
            {...refusal('remindDays', remind)}
          />
          <WholeField
            label={t('signing.settings.expireDays')}
            value={expireDays}
            onChange={(next) => setGiven({ ...given, expireDays: next })}
            {...refusal('expireDays', expireDays)}
          />
          <TextField
            label={t('signing.settings.tsaUrl')}
            hint={t('signing.settings.tsaHint')}
            placeholder="https://"
            optional
            value={tsaUrl}
            onChange={(next) => setGiven({ ...given, tsaUrl: next })}
            {...refusal('tsaUrl', tsaUrl)}
          />
        </>
      )}
    </FormDialog>
  )
}
