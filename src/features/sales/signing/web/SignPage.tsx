import { PenLine } from 'lucide-react'
import { useState } from 'react'
import { call, failureText, fieldErrors, useCall } from '#kit/web/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { go, usePlace } from '#kit/web/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useLanguage, useWords } from '#kit/web/words.tsx'
import { beginLink, openLink, openLinkLogo } from '../endpoints.ts'
import './signing.css'

/** The open link of a template: whoever comes says who he is and gets a paper of his own. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const key = usePlace().params.key ?? ''
  const asked = useCall(openLink, { key }, { refetchOnWindowFocus: false, staleTime: 60_000 })
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { fields, rest } = failure ? fieldErrors(t, failure, ['name', 'email']) : { fields: {} as Record<string, string>, rest: undefined }
  const begin = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const made = await call(beginLink, { key, name, email, language: lang })
      go(`/signdoc/${made.key}`)
    } catch (e) {
      setFailure(e)
    } finally {
      setBusy(false)
    }
  }
  return (
    <BusinessPage
      asked={asked}
      narrow
      pageKey={key}
      logo={openLinkLogo}
      title={(data) => data.name || t('signing.page.title')}
      missing={{ title: t('signing.page.notFound'), text: t('signing.page.notFoundText') }}
    >
      {(data) => (
        <Lead label={data.name || t('signing.page.title')} title={<bdi>{data.name || t('signing.page.title')}</bdi>}>
          {data.state !== 'open' ? (
            <Note tone="wait">{t(`signing.link.${data.state}`)}</Note>
          ) : (
            <form
              className="sg-stack w-full"
              noValidate
              onSubmit={(event) => {
                event.preventDefault()
                void begin()
              }}
            >
              <p className="sub">{t('signing.link.text', { pages: data.pages })}</p>
              {failure !== undefined && rest !== undefined && <Note tone="late">{rest || failureText(t, failure)}</Note>}
              <TextField
                label={t('signing.link.name')}
                value={name}
                onChange={setName}
                max={120}
                autoComplete="name"
                {...(fields.name ? { error: fields.name } : {})}
              />
              <EmailField
                label={t('signing.send.email')}
                hint={t(data.needsCode ? 'signing.link.codeHint' : 'signing.link.mailHint')}
                value={email}
                onChange={setEmail}
                {...(fields.email ? { error: fields.email } : {})}
              />
              <Button kind="primary" size="l" type="submit" icon={PenLine} busy={busy}>
                {t('signing.link.begin')}
              </Button>
            </form>
          )}
        </Lead>
      )}
    </BusinessPage>
  )
}
