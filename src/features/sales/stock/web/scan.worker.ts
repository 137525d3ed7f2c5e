import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import wasm from 'zxing-wasm/reader/zxing_reader.wasm?url'

prepareZXingModule({ overrides: { locateFile: () => wasm } })

/** Reads one picture of the camera beside the page; what it holds is answered, or nothing. */
addEventListener('message', (event: MessageEvent<ImageData>) => {
  readBarcodes(event.data, {
    formats: ['Code128', 'EAN13', 'EAN8', 'UPCA', 'QRCode'],
    maxNumberOfSymbols: 1,
    tryHarder: true,
  }).then(
    ([found]) => postMessage(found?.isValid ? found.text : null),
    () => postMessage(null),
  )
})
