import { Copy } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { FlagField } from '#kit/web/fields/FlagField.tsx'
import { WholeField } from '#kit/web/fields/NumberFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { changeContactSettings, contactSettings } from '../endpoints.ts'

/** The secret address letters are forwarded to, and after how long contacts go to the archive. */
export function ContactSettings({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const copy = useCopy()
  const { data } = useCall(contactSettings, {})
  const [months, setMonths] = useState<number | null | undefined>()
  const put = async (given: { mailOn?: boolean; renew?: boolean; archiveMonths?: number | null }) => {
    putAnswer(contactSettings, {}, await call(changeContactSettings, given))
  }
  const failed = (e: unknown) => void banner.error(failureText(t, e))
  const shown = months === undefined ? (data?.archiveMonths ?? null) : months
  return (
    <FormDialog
      title={t('interactions.settings.title')}
      verb={t('kit.forms.save')}
      isDisabled={!data}
      names={['archiveMonths']}
      onClose={onClose}
      onSubmit={async () => {
        await put({ archiveMonths: shown })
        onClose()
      }}
    >
      {(error) => (
        <>
          <FlagField
            as="switch"
            label={t('interactions.settings.mail')}
            hint={t('interactions.settings.mailHint')}
            value={data?.mailOn ?? false}
            onChange={(mailOn) => void put({ mailOn }).catch(failed)}
          />
          {data?.mailOn && data.address && (
            <TextField
              label={t('interactions.settings.address')}
              value={data.address}
              onChange={() => undefined}
              readOnly
              ltr
              end={
                <Button
                  kind="quiet"
                  size="s"
                  icon={Copy}
                  label={t('kit.copy.copy')}
                  onPress={() => copy(data.address!)}
                />
              }
            />
          )}
          {data?.mailOn && (
            <p>
              <Button kind="quiet" size="s" onPress={() => void put({ renew: true }).catch(failed)}>
                {t('interactions.settings.renew')}
              </Button>
            </p>
          )}
          {data?.mailOn && !data.receiving && (
            <Note tone="wait">{t('interactions.settings.notReceiving')}</Note>
          )}
          <WholeField
            label={t('interactions.settings.archive')}
            hint={t('interactions.settings.archiveHint')}
            optional
            value={shown}
            onChange={setMonths}
            {...error('archiveMonths', shown)}
          />
        </>
      )}
    </FormDialog>
  )
}
