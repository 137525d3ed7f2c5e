import { useState } from 'react'
import { call, failureText, useCall, putAnswer } from '#kit/web/calls/call.ts'
import { PhoneField } from '#kit/web/fields/ContactFields.tsx'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { Question } from '#kit/web/parts/Dialog.tsx'
import { PageHeader } from '#kit/web/parts/PageHeader.tsx'
import { Skeleton } from '#kit/web/parts/Skeleton.tsx'
import { StatusPill } from '#kit/web/parts/Status.tsx'
import { useAction } from '#kit/web/parts/useAction.ts'
import { useCan } from '#kit/web/session/session.ts'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { dropSms, getSms, setSms, testSms, type SmsAccount } from '../endpoints.ts'
import './sms.css'

/** The account with the provider of text messages, and a try of it. */
export function Screen() {
  const t = useWords()
  const { data, error } = useCall(getSms, {})
  if (error && !data) return <Note tone="late">{failureText(t, error)}</Note>
  if (!data) return <Skeleton lines={6} />
  return <Form key={JSON.stringify(data)} account={data} />
}

function Form({ account }: { account: SmsAccount }) {
  const t = useWords()
  const may = useCan()
  const readOnly = !may('companies.change')
  const [username, setUsername] = useState(account.username)
  const [sender, setSender] = useState(account.sender)
  const [key, setKey] = useState('')
  const [asks, setAsks] = useState(false)
  const { busy, rest, error, run, place } = useAction(
    ['username', 'sender', 'key'],
    async () => {
      const next = await call(setSms, { username, sender, ...(key ? { key } : {}) })
      banner.success(t('sms.saved'))
      putAnswer(getSms, {}, next)
      setKey('')
    },
    { stays: true },
  )
  return (
    <>
      <PageHeader
        title={t('screens.smsSettings')}
        status={
          <StatusPill tone={account.isSet ? 'done' : 'plain'}>
            {t(account.isSet ? 'sms.on' : 'sms.off')}
          </StatusPill>
        }
        sub={t('sms.sub')}
        crumbs={[{ label: t('screens.settings'), href: '/invoice/Settings' }]}
      />
      <div className="sm-stack">
        {!account.isSet && <Note>{t('sms.offText')}</Note>}
        <Card title={t('sms.account')}>
          <form className="sm-form" ref={place} onSubmit={run} noValidate>
            {rest && <Note tone="late">{rest}</Note>}
            <TextField
              label={t('sms.fields.username')}
              ltr
              value={username}
              onChange={setUsername}
              {...error('username', username)}
              max={60}
              disabled={readOnly}
            />
            <TextField
              label={t('sms.fields.sender')}
              ltr
              value={sender}
              onChange={setSender}
              {...error('sender', sender)}
              hint={t('sms.senderHint')}
              max={11}
              disabled={readOnly}
            />
            <PasswordField
              label={t('sms.fields.key')}
              value={key}
              onChange={setKey}
              {...error('key', key)}
              hint={t(account.isSet ? 'sms.keyKnown' : 'sms.keyHint')}
              disabled={readOnly}
            />
            {!readOnly && (
              <div className="sm-do">
                <Button kind="primary" type="submit" busy={busy}>
                  {t('kit.forms.save')}
                </Button>
                {account.isSet && (
                  <Button kind="quiet" onPress={() => setAsks(true)}>
                    {t('sms.drop')}
                  </Button>
                )}
              </div>
            )}
          </form>
        </Card>
        {!readOnly && <Try isSet={account.isSet} />}
      </div>
      <Question
        isOpen={asks}
        onClose={() => setAsks(false)}
        title={t('sms.dropAsk')}
        verb={t('sms.drop')}
        danger
        onConfirm={async () => {
          try {
            putAnswer(getSms, {}, await call(dropSms, {}))
          } catch (e) {
            banner.error(failureText(t, e))
          }
        }}
      >
        {t('sms.offText')}
      </Question>
    </>
  )
}

/** One message to one's own phone tells whether the account works. */
function Try({ isSet }: { isSet: boolean }) {
  const t = useWords()
  const [to, setTo] = useState('')
  const { busy, rest, error, run, place } = useAction(
    ['to'],
    async () => {
      const { state } = await call(testSms, { to })
      banner.success(t(state === 'sent' ? 'sms.tried' : 'sms.triedKept'))
    },
    { stays: true },
  )
  return (
    <Card title={t('sms.try')}>
      <form className="sm-form" ref={place} onSubmit={run} noValidate>
        {rest && <Note tone="late">{rest}</Note>}
        <PhoneField
          label={t('sms.tryTo')}
          value={to}
          onChange={setTo}
          {...error('to', to)}
          hint={isSet ? undefined : t('sms.tryKept')}
        />
        <div className="sm-do">
          <Button type="submit" busy={busy}>
            {t('sms.tryDo')}
          </Button>
        </div>
      </form>
    </Card>
  )
}
