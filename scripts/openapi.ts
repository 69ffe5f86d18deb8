// Writes the OpenAPI document of this checkout: `npm run openapi [FILE]`, to standard output without a file.
import { writeFileSync } from 'node:fs'
import { apiRoutes } from '../server/features/registry.ts'
import { openApiDocument } from '../server/http/openapi.ts'

const text = `${JSON.stringify(openApiDocument(apiRoutes, '/api/v1'), null, 2)}\n`
const [file] = process.argv.slice(2)
if (file === undefined) process.stdout.write(text)
else writeFileSync(file, text)
