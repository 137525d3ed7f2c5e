import { Download } from 'lucide-react'
import { call, keyOf, queryClient, putAnswer } from '#kit/web/calls/call.ts'
import { Button } from '#kit/web/parts/Button.tsx'
import { Card } from '#kit/web/parts/Card.tsx'
import { FileSend } from '#kit/web/parts/FileSend.tsx'
import { go } from '#kit/web/routes/place.ts'
import { useFile } from '#kit/web/calls/useFile.ts'
import { useWords } from '#kit/web/words/words.tsx'
import {
  getImport,
  importTemplate,
  listImports,
  maxImportBytes,
  uploadImport,
  type ImportField,
} from '../endpoints.ts'
import { Past } from './Past.tsx'

const accepted =
  '.csv,.txt,.tsv,.xlsx,text/csv,text/plain,application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The first step: the file, and what may stand in it. */
export function Choose({ resource, fields }: { resource: string; fields: ImportField[] }) {
  const t = useWords()
  const fetchFile = useFile()
  const send = async (file: File) => {
    const one = await call(uploadImport, { resource, name: file.name, bytes: file })
    putAnswer(getImport, { id: one.id }, one)
    void queryClient.invalidateQueries({ queryKey: keyOf(listImports) })
    go(`/invoice/tools/import/${resource}?id=${one.id}`)
  }
  const needed = fields.filter(({ need }) => need)
  return (
    <div className="im-page">
      <FileSend
        note={t('imports.sending')}
        send={send}
        accept={accepted}
        limit={maxImportBytes}
        label={t('imports.choose')}
      >
        {t('imports.drop')}
      </FileSend>
      <Card
        title={t('imports.whatFits')}
        end={
          <Button
            kind="quiet"
            size="s"
            icon={Download}
            onPress={() => void fetchFile(importTemplate, { resource })}
          >
            {t('imports.template')}
          </Button>
        }
      >
        <ul className="im-says">
          <li>{t('imports.says.order')}</li>
          <li>{t('imports.says.need', { fields: needed.map(({ title }) => title).join(', ') })}</li>
          <li>{t('imports.says.nothing')}</li>
        </ul>
        <p className="im-fields">
          {fields.map(({ name, title }) => (
            <span key={name} className="k-st" data-plain="">
              {title}
            </span>
          ))}
        </p>
      </Card>
      <Past resource={resource} />
    </div>
  )
}
