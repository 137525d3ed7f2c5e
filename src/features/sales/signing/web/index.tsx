export { AskDialog } from './AskDialog.tsx'
export { Asked } from './Asked.tsx'
export { UploadPdf } from './UploadPdf.tsx'
