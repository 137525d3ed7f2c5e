import { Download, FileKey } from 'lucide-react'
import { useState } from 'react'
import { call } from '#kit/web/calls/call.ts'
import { PasswordField } from '#kit/web/fields/PasswordField.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { FileDrop } from '#kit/web/parts/FileDrop.tsx'
import { FormDialog } from '#kit/web/parts/FormDialog.tsx'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { handBack, handout, prepareOutside, signOwn } from '../endpoints.ts'
import type { Filled } from '../shapes.ts'

export interface Signing {
  key: string
  visit?: string
  values: Record<string, Filled>
  shown: 'he' | 'en' | 'ar' | 'ru' | 'fr'
  seconds: number
}

interface DialogProps {
  signing: () => Signing
  onClose: () => void
  onDone: () => Promise<unknown>
}

/**
 * The signer's personal certificate, from its file: a signature by it is what the law calls a secure signature.
 */
export function CertificateDialog({ signing, onClose, onDone }: DialogProps) {
  const t = useWords()
  const [file, setFile] = useState<File>()
  const [password, setPassword] = useState('')
  const sign = async () => {
    await call(signOwn, { ...signing(), pkcs12: await base64Of(file!), password })
    await onDone()
    onClose()
  }
  return (
    <FormDialog
      title={t('signing.own.title')}
      verb={t('signing.page.sign')}
      icon={FileKey}
      isDisabled={!file}
      names={['pkcs12', 'password']}
      onClose={onClose}
      onSubmit={sign}
    >
      {(refusal) => {
        const refused = refusal('pkcs12', file).error
        return (
          <>
            <p className="sub">{t('signing.own.text')}</p>
            <FileDrop
              accept=".p12,.pfx,application/x-pkcs12"
              limit={150_000}
              label={t('signing.own.file')}
              onFiles={([one]) => one && setFile(one)}
              {...(refused ? { refused } : {})}
            >
              {file ? <bdi>{file.name}</bdi> : t('signing.own.file')}
            </FileDrop>
            <PasswordField
              label={t('signing.own.password')}
              value={password}
              onChange={setPassword}
              {...refusal('password', password)}
            />
          </>
        )
      }}
    </FormDialog>
  )
}

/** Downloaded, signed in the signer's own program, and handed back. */
export function OutsideDialog({ signing, onClose, onDone }: DialogProps) {
  const t = useWords()
  const save = useFile()
  const [file, setFile] = useState<File>()
  const [isOut, setOut] = useState(false)
  const { key, visit } = signing()
  const who = { key, ...(visit ? { visit } : {}) }
  const act = async () => {
    if (!isOut) {
      await call(prepareOutside, signing())
      await save(handout, who)
      setOut(true)
      return
    }
    await call(handBack, { ...who, bytes: file! })
    await onDone()
    onClose()
  }
  return (
    <FormDialog
      title={t('signing.own.outside')}
      verb={t(isOut ? 'signing.own.handBack' : 'signing.own.download')}
      icon={isOut ? FileKey : Download}
      isDisabled={isOut && !file}
      names={['bytes']}
      onClose={onClose}
      onSubmit={act}
    >
      {(refusal) => {
        const refused = refusal('bytes', file).error
        return (
          <>
            <p className="sub">{t('signing.own.outsideText')}</p>
            {isOut ? (
              <>
                <FileDrop
                  accept="application/pdf,.pdf"
                  limit={20 * 1024 * 1024}
                  label={t('signing.own.back')}
                  onFiles={([one]) => one && setFile(one)}
                  {...(refused ? { refused } : {})}
                >
                  {file ? <bdi>{file.name}</bdi> : t('signing.own.back')}
                </FileDrop>
                <Button kind="quiet" icon={Download} onPress={() => void save(handout, who)}>
                  {t('signing.own.download')}
                </Button>
              </>
            ) : (
              <Button kind="quiet" onPress={() => setOut(true)}>
                {t('signing.own.handBack')}
              </Button>
            )}
          </>
        )
      }}
    </FormDialog>
  )
}

async function base64Of(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += 8192)
    text += String.fromCharCode(...bytes.subarray(at, at + 8192))
  return btoa(text)
}
