import { Download, Paperclip } from 'lucide-react'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card, Rows } from '#kit/web/parts/Card.tsx'
import { fileSize } from '#kit/web/parts/FileDrop.tsx'
import { Icon } from '#kit/web/parts/Icon.tsx'
import { Num } from '#kit/web/parts/Num.tsx'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import { pageFile } from '../../endpoints.ts'

/** What the business shows its customer beside the document. */
export function PageFiles({
  pageKey,
  files,
}: {
  pageKey: string
  files: readonly { id: string; name: string; size: number }[]
}) {
  const t = useWords()
  const fetchFile = useFile()
  if (files.length === 0) return null
  const save = (id: string, name: string) => void fetchFile(pageFile, { key: pageKey, fileId: id }, { name })
  return (
    <Card title={t('documents.files.onPage')}>
      <Rows>
        {files.map(({ id, name, size }) => (
          <div key={id}>
            <span className="k-tile">
              <Icon of={Paperclip} />
            </span>
            <span className="grow">
              <span className="t">
                <bdi>{name}</bdi>
              </span>
              <span className="s">
                <Num>{fileSize(size)}</Num>
              </span>
            </span>
            <Button
              kind="quiet"
              icon={Download}
              label={t('documents.files.save', { name })}
              onPress={() => save(id, name)}
            />
          </div>
        ))}
      </Rows>
    </Card>
  )
}
