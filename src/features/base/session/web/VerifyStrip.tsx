import { MailCheck } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Dialog } from '#kit/web/parts/Dialog.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { mySession } from '../endpoints.ts'
import { VerifyCode } from './VerifyCode.tsx'
import './account.css'

/** A line under the header until the address of the account is verified. */
export function VerifyStrip() {
  const t = useWords()
  const me = useCall(mySession, {}, { staleTime: 600_000 }).data
  const [isOpen, setOpen] = useState(false)
  if (!me || me.emailVerified) return null
  return (
    <section className="a-strip" aria-label={t('session.verify.title')}>
      <Icon of={MailCheck} size="s" />
      <span className="grow">{t('session.verify.strip', { email: me.email })}</span>
      <Button size="s" onPress={() => setOpen(true)}>
        {t('session.verify.do')}
      </Button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={t('session.verify.title')}>
        <div className="grid gap-4">
          <p className="sub">{t('session.verify.strip', { email: me.email })}</p>
          <VerifyCode what="email" autoFocus onDone={() => setOpen(false)} />
        </div>
      </Dialog>
    </section>
  )
}
