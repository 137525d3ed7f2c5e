import { useState } from 'react'
import { useQueryClient } from '@tanstack/react-query'
import { call, keyOf, useFailureText } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { banner } from '#kit/web/shell/banner.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { mySession, sendVerification, verify } from '../endpoints.ts'
import { CodeField, codeFault } from './CodeForms.tsx'
import { useForm } from './useForm.ts'

/**
 * The code that was sent to an address or a phone; where none is on its way (`isSent` is false), first the button that
 * sends it. `isNew`: it goes to another address than the account's own.
 */
export function VerifyCode({
  what,
  isNew = false,
  isSent = true,
  autoFocus = false,
  onDone,
}: {
  what: 'email' | 'phone'
  isNew?: boolean
  isSent?: boolean
  autoFocus?: boolean
  onDone?: () => void
}) {
  const t = useWords()
  const said = useFailureText()
  const client = useQueryClient()
  const [sending, setSending] = useState(false)
  const [hasCode, setHasCode] = useState(isSent)
  const { ref: formRef, ...form } = useForm(
    { code: '' },
    (v) => ({ code: codeFault(v.code) }),
    async (v) => {
      await call(verify, { what, code: v.code.replace(/\s/g, '') })
      await client.invalidateQueries({ queryKey: keyOf(mySession) })
      banner.success(t(what === 'email' ? 'session.verify.done' : 'session.verify.phoneDone'))
      onDone?.()
    },
    'code',
  )
  const sendAgain = async () => {
    setSending(true)
    try {
      const { to } = await call(sendVerification, { what })
      setHasCode(true)
      banner.success(t('session.verify.sent', { to }))
    } catch (e) {
      banner.error(said(e))
    }
    setSending(false)
  }
  if (!hasCode)
    return (
      <div>
        <Button busy={sending} onPress={() => void sendAgain()}>
          {t('session.me.sendCode')}
        </Button>
      </div>
    )
  return (
    <form className="grid gap-4" ref={formRef} onSubmit={form.submit} noValidate>
      {form.rest && <Note tone="late">{form.rest}</Note>}
      <CodeField form={form} autoFocus={autoFocus || !isSent} />
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" type="submit" busy={form.busy}>
          {t('session.verify.do')}
        </Button>
        {!isNew && (
          <Button kind="quiet" busy={sending} onPress={() => void sendAgain()}>
            {t('session.verify.resend')}
          </Button>
        )}
      </div>
    </form>
  )
}
