import { Settings, ShieldCheck } from 'lucide-react'
import { useState } from 'react'
import { call, queryClient, useCall } from '#kit/web/calls/call.ts'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { go } from '#kit/web/routes/place.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useAskedFor } from '#kit/web/routes/useAskedFor.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { getSignSettings, maxTemplateBytes, setSignSettings, uploadTemplate } from '../endpoints.ts'
import { signTemplates } from '../signing.ts'
import './dress.tsx'
import { UploadPdf } from './UploadPdf.tsx'
import { Within } from './Within.tsx'
import './signing.css'

/** Papers with their fields, to be sent as often as one likes. */
export function Screen() {
  return (
    <Within screen="signTemplates">
      <Templates />
    </Within>
  )
}

function Templates() {
  const t = useWords()
  const may = useCan()
  const [uploads, setUploads] = useAskedFor(['upload'], () => may('signing.templates'))
  const [sets, setSets] = useState(false)
  return (
    <>
      <ListScreen
        resource={signTemplates}
        archive
        newHref={`${signTemplates.screens.list}?upload=1`}
        more={[
          { key: 'verify', label: t('signing.verify.open'), icon: ShieldCheck, href: '/signverify' },
          ...(may('signing.settings')
            ? [
                {
                  key: 'settings',
                  label: t('signing.settings.title'),
                  icon: Settings,
                  onPress: () => setSets(true),
                },
              ]
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
  return (
    <UploadPdf
      title={t('signTemplates.new')}
      verb={t('signTemplates.upload')}
      choose={t('signTemplates.choose')}
      nameLabel={t('signTemplates.fields.name')}
      hint={t('signTemplates.uploadText')}
      limit={maxTemplateBytes}
      onClose={onClose}
      onUpload={async (file) => {
        const { id } = await call(uploadTemplate, file)
        void queryClient.invalidateQueries({ queryKey: ['signTemplates.list'] })
        onClose()
        go(`/invoice/signtemplate/${id}`)
      }}
    />
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
