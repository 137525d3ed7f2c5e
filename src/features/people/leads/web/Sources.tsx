import { Copy, KeyRound } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Question, SideSheet } from '#kit/web/parts/Dialog.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { ListScreen } from '#kit/web/screens/ListScreen.tsx'
import type { AnyRow } from '#kit/web/screens/resources.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useCopy } from '#kit/web/hooks/useCopy.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { renewDoor, setFacebook, sourceDoor } from '../endpoints.ts'
import { leadSources } from '../leads.ts'
import './dress.tsx'
import './leads.css'

/** Where leads come from; how each lets them in opens beside the list. */
export function Screen() {
  const [row, setRow] = useState<AnyRow>()
  return (
    <>
      <ListScreen resource={leadSources} onOpen={setRow} />
      {row && <DoorSheet key={row.id} row={row} onClose={() => setRow(undefined)} />}
    </>
  )
}

function Line({ label, value, hint }: { label: string; value: string; hint?: string }) {
  const t = useWords()
  const copy = useCopy()
  return (
    <TextField
      label={label}
      value={value}
      onChange={() => undefined}
      readOnly
      ltr
      {...(hint ? { hint } : {})}
      end={
        <Button
          kind="quiet"
          size="s"
          icon={Copy}
          label={`${t('kit.copy.copy')}: ${label}`}
          onPress={() => copy(value)}
        />
      }
    />
  )
}

/** What is set at Facebook, and what it is known by here; the secrets are never shown again. */
function Facebook({
  id,
  of,
}: {
  id: string
  of: { callbackUrl: string; verifyToken: string; isSet: boolean }
}) {
  const t = useWords()
  const [appSecret, setSecret] = useState('')
  const [pageToken, setToken] = useState('')
  const { busy, rest, error, run, place } = useAction(
    ['appSecret', 'pageToken'],
    async () => {
      await call(setFacebook, { id, appSecret, pageToken })
      setSecret('')
      setToken('')
      await queryClient.invalidateQueries({ queryKey: keyOf(sourceDoor) })
      banner.success(t('leadSources.facebookSaved'))
    },
    { stays: true },
  )
  const kept = of.isSet ? { hint: t('leadSources.facebookKept') } : {}
  return (
    <>
      <Line label={t('leadSources.callbackUrl')} value={of.callbackUrl} />
      <Line label={t('leadSources.verifyToken')} value={of.verifyToken} />
      <form ref={place} onSubmit={run} noValidate className="grid gap-4">
        {rest && <Note tone="late">{rest}</Note>}
        <PasswordField
          label={t('leadSources.appSecret')}
          value={appSecret}
          onChange={setSecret}
          {...kept}
          {...error('appSecret', appSecret)}
        />
        <PasswordField
          label={t('leadSources.pageToken')}
          value={pageToken}
          onChange={setToken}
          {...kept}
          {...error('pageToken', pageToken)}
        />
        <Button kind="primary" type="submit" busy={busy}>
          {t('leadSources.facebookSave')}
        </Button>
      </form>
    </>
  )
}

function DoorSheet({ row, onClose }: { row: AnyRow; onClose: () => void }) {
  const t = useWords()
  const { data, error } = useCall(sourceDoor, { id: row.id })
  const [asks, setAsks] = useState(false)
  return (
    <SideSheet
      isOpen
      onClose={onClose}
      title={<bdi>{String(row.name)}</bdi>}
      actions={
        <Button kind="quiet" icon={KeyRound} onPress={() => setAsks(true)}>
          {t('leadSources.renew')}
        </Button>
      }
    >
      {error && !data && <Note tone="late">{failureText(t, error)}</Note>}
      {!data && !error && <Skeleton lines={5} />}
      {data && (
        <div className="grid gap-4">
          <p className="hint">{t(`leadSources.door.${data.channel}`)}</p>
          {data.channel === 'form' && (
            <Line
              label={t('leadSources.embed')}
              value={`<script src="${data.scriptUrl}" async></script>`}
              hint={t('leadSources.embedHint')}
            />
          )}
          {(data.channel === 'form' || data.channel === 'link') && (
            <Line label={t('leadSources.page')} value={data.pageUrl} />
          )}
          {data.channel === 'link' && (
            <Line
              label={t('leadSources.campaignLink')}
              value={`${data.pageUrl}?campaign=${encodeURIComponent(String(row.campaign || 'name'))}`}
            />
          )}
          {data.channel === 'api' && <Line label={t('leadSources.api')} value={data.apiUrl} />}
          {data.channel === 'api' && (
            <Line
              label={t('leadSources.apiExample')}
              value={`curl -X POST ${data.apiUrl} -H 'content-type: application/json' -d '{"externalId":"1","name":"Dana","phone":"052-1234567","message":"…"}'`}
            />
          )}
          {data.facebook && <Facebook id={row.id} of={data.facebook} />}
          {data.channel === 'mail' && data.mail && <Line label={t('leadSources.mail')} value={data.mail} />}
          {data.channel === 'mail' && !data.receiving && (
            <Note tone="wait">{t('leadSources.notReceiving')}</Note>
          )}
        </div>
      )}
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('leadSources.renewAsk')}
        verb={t('leadSources.renew')}
        danger
        onConfirm={() =>
          call(renewDoor, { id: row.id })
            .then(() => queryClient.invalidateQueries({ queryKey: keyOf(sourceDoor) }))
            .catch((e: unknown) => {
              banner.error(failureText(t, e))
              throw e
            })
        }
      >
        {t('leadSources.renewText')}
      </Question>
    </SideSheet>
  )
}
