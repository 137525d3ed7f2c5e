import { Download, ExternalLink, FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { formatDay } from '#domain/format.ts'
import type { OutputOf } from '#kit/describe/endpoint.ts'
import { call, failureText, useCall } from '#kit/web/calls/call.ts'
import { Note } from '#kit/web/parts/Banner.tsx'
import { Button } from '#kit/web/parts/Button.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { FileButton } from '#kit/web/parts/FileButton.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { usePlace } from '#kit/web/routes/place.ts'
import { BusinessPage } from '#kit/web/public/BusinessPage.tsx'
import { Lead } from '#kit/web/public/Lead.tsx'
import { useWords } from '#kit/web/words/words.tsx'
import { fileOfShare, fileShareFace, fileShareLogo, openFileShare } from '../endpoints.ts'
import './shares.css'

type Opened = OutputOf<typeof openFileShare>

/** A file that a business shared by a link: its owner is shown, its content when it is opened. */
export function Screen() {
  const t = useWords()
  const key = usePlace().params.key ?? ''
  const asked = useCall(fileShareFace, { key }, { refetchOnWindowFocus: false, staleTime: 5 * 60_000 })
  return (
    <BusinessPage
      asked={asked}
      pageKey={key}
      logo={fileShareLogo}
      title={() => t('screens.sharedFile')}
      missing={{ title: t('fileShares.gone'), text: t('fileShares.goneText') }}
    >
      {(data) =>
        data.state === 'ended' ? (
          <Lead label={t('fileShares.gone')} title={t('fileShares.gone')}>
            <p className="sub">{t('fileShares.goneText')}</p>
          </Lead>
        ) : (
          <Door pageKey={key} by={data.business.name} />
        )
      }
    </BusinessPage>
  )
}

function Door({ pageKey, by }: { pageKey: string; by: string }) {
  const t = useWords()
  const [file, setFile] = useState<Opened>()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const open = async () => {
    setBusy(true)
    setProblem(undefined)
    try {
      setFile(await call(openFileShare, { key: pageKey }))
    } catch (e) {
      setProblem(failureText(t, e))
    }
    setBusy(false)
  }
  if (!file)
    return (
      <Lead label={t('screens.sharedFile')} title={t('screens.sharedFile')}>
        <p className="sub">{t('fileShares.doorText', { name: by })}</p>
        {problem && <Note tone="late">{problem}</Note>}
        <Button kind="primary" size="l" icon={FolderOpen} busy={busy} onPress={() => void open()}>
          {t('fileShares.open')}
        </Button>
      </Lead>
    )
  return (
    <Lead label={file.name} title={<bdi>{file.name}</bdi>}>
      <p className="sub" role="status">
        <Num>{fileSize(file.size)}</Num> · {t('fileShares.fields.expiresOn')}{' '}
        <Num>{formatDay(file.expiresOn)}</Num>
      </p>
      <div className="fs-deeds">
        <FileButton kind="primary" size="l" icon={Download} endpoint={fileOfShare} input={{ key: pageKey }}>
          {t('fileShares.download')}
        </FileButton>
        {file.isShown && (
          <FileButton
            size="l"
            icon={ExternalLink}
            open
            endpoint={fileOfShare}
            input={{ key: pageKey, inline: 'true' }}
          >
            {t('fileShares.show')}
          </FileButton>
        )}
      </div>
    </Lead>
  )
}
