import { PenLine } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { call, failureText, fieldErrors, keyOf, queryClient, useCall } from '#kit/web/calls/call.ts'
import { EmailField } from '#kit/web/fields/ContactFields.tsx'
import { TextField } from '#kit/web/fields/TextField.tsx'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { go, usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { work } from '#kit/web/public/work.ts'
import { useLanguage, useWords } from '#kit/web/words/words.tsx'
import { beginLink, openLink, openLinkLogo } from '../endpoints.ts'
import './signing.css'

/** Who presses sooner is taken for a program. */
const milliseconds = 3200

/** The open link of a template: visitors enter their details and get a separate document. */
export function Screen() {
  const t = useWords()
  const { lang } = useLanguage()
  const key = usePlace().params.key ?? ''
  const asked = useCall(openLink, { key }, { refetchOnWindowFocus: false, staleTime: 60_000 })
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [website, setWebsite] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>()
  const { fields, rest } = failure
    ? fieldErrors(t, failure, ['name', 'email'])
    : { fields: {} as Record<string, string>, rest: undefined }
  const { challenge, bits } = asked.data ?? { challenge: '', bits: 0 }
  const proof = useRef<Promise<string>>(undefined)
  useEffect(() => {
    if (!challenge) return
    proof.current = Promise.all([
      work(challenge, bits),
      new Promise((done) => setTimeout(done, milliseconds)),
    ]).then(([found]) => found)
  }, [challenge, bits])
  const begin = async () => {
    setBusy(true)
    setFailure(undefined)
    try {
      const made = await call(beginLink, {
        key,
        name,
        email,
        language: lang,
        website,
        challenge,
        proof: (await proof.current) ?? '',
      })
      go(`/signdoc/${made.key}`)
    } catch (e) {
      setFailure(e)
    } finally {
      setBusy(false)
      // Each showing is good for one paper.
      void queryClient.invalidateQueries({ queryKey: keyOf(openLink, { key }) })
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
        <Lead
          label={data.name || t('signing.page.title')}
          title={<bdi>{data.name || t('signing.page.title')}</bdi>}
        >
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
              {failure !== undefined && rest !== undefined && (
                <Note tone="late">{rest || failureText(t, failure)}</Note>
              )}
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
              <div className="sg-trap" aria-hidden>
                <input
                  name="website"
                  tabIndex={-1}
                  autoComplete="off"
                  value={website}
                  onChange={(event) => setWebsite(event.target.value)}
                />
              </div>
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
