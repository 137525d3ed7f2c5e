import { useState } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { askGoogleStandIn } from '../endpoints.ts'
import { AccountFrame } from './AccountFrame.tsx'
import { isEmail, useForm } from './useForm.ts'

/**
 * Where the answer goes: back to this same product and nowhere else, as Google returns to registered
 * addresses only.
 */
function returnOf(address: string | null): string {
  return address && URL.canParse(address) && new URL(address).origin === location.origin ? address : '/login'
}

/** The choice of an account at the stand-in for Google. It sends the browser back as Google does. */
export function Screen() {
  const t = useWords()
  const [asked] = useState(() => new URLSearchParams(location.search))
  const answer = (of: Record<string, string>) =>
    location.assign(`${returnOf(asked.get('redirect_uri'))}#${new URLSearchParams(of)}`)
  const { ref: formRef, ...form } = useForm(
    { email: '' },
    ({ email }) => ({
      email: !email.trim() ? 'errors.fields.need' : !isEmail(email) && 'errors.fields.email',
    }),
    async ({ email }) => {
      const nonce = asked.get('nonce')
      const { token } = await call(askGoogleStandIn, { email, ...(nonce ? { nonce } : {}) })
      answer({ id_token: token })
    },
  )
  return (
    <AccountFrame title={t('session.standIn.title')}>
      <Note tone="wait">{t('session.standIn.note')}</Note>
      <form className="a-form" ref={formRef} onSubmit={form.submit} noValidate>
        {form.rest && <Note tone="late">{form.rest}</Note>}
        <EmailField {...form.field('email')} label={t('session.field.email')} autoFocus />
        <Button kind="primary" type="submit" size="l" wide busy={form.busy}>
          {t('session.standIn.do')}
        </Button>
        <Button kind="quiet" wide onPress={() => answer({ error: 'access_denied' })}>
          {t('kit.forms.cancel')}
        </Button>
      </form>
    </AccountFrame>
  )
}
