/** Groups of the catalog's cards, in screen order. */
export const catalogTopics = {
  frontend: 'Frontend',
  backend: 'Backend',
  languages: 'Languages',
  data: 'Databases',
  ai: 'Data science and AI',
  cloud: 'Infrastructure',
  testing: 'Testing',
  tools: 'Tools',
  mobile: 'Mobile, desktop and games',
  services: 'Services',
} as const;
export type CatalogTopic = keyof typeof catalogTopics;

/** A library that users can add with one click. */
export interface CatalogLibrary {
  id: string;
  name: string;
  topic: CatalogTopic;
  /** Other names for it, in lower case. */
  aliases: readonly string[];
  /** As `ecosystem:name`, with the ecosystems of `ecosystemSchema`. */
  packages: readonly string[];
  /** Start page of its documentation. */
  docs: string;
}

/** Topic, id, name, aliases, packages and address of each library. */
const rows = `
frontend | react | React | reactjs, react.js | npm:react, npm:react-dom | https://react.dev/
frontend | nextjs | Next.js | nextjs | npm:next | https://nextjs.org/docs
frontend | vue | Vue | vuejs, vue.js | npm:vue | https://vuejs.org/guide/
frontend | nuxt | Nuxt | nuxtjs, nuxt.js | npm:nuxt | https://nuxt.com/docs
frontend | svelte | Svelte | sveltekit | npm:svelte, npm:@sveltejs/kit | https://svelte.dev/docs
frontend | angular | Angular | | npm:@angular/core | https://angular.dev/
frontend | solid | SolidJS | solid.js, solidjs | npm:solid-js | https://docs.solidjs.com/
frontend | astro | Astro | astrojs | npm:astro | https://docs.astro.build/
frontend | remix | React Router | remix | npm:react-router | https://reactrouter.com/
frontend | tanstack-query | TanStack Query | react query | npm:@tanstack/react-query | https://tanstack.com/query/latest/docs
frontend | redux | Redux | redux toolkit, rtk | npm:redux, npm:@reduxjs/toolkit | https://redux.js.org/
frontend | tailwind | Tailwind CSS | tailwindcss | npm:tailwindcss | https://tailwindcss.com/docs
frontend | bootstrap | Bootstrap | | npm:bootstrap | https://getbootstrap.com/docs/
frontend | mui | Material UI | mui, material-ui | npm:@mui/material | https://mui.com/material-ui/getting-started/
frontend | htmx | htmx | | npm:htmx.org | https://htmx.org/docs/
frontend | alpine | Alpine.js | alpinejs | npm:alpinejs | https://alpinejs.dev/
frontend | lit | Lit | lit-element | npm:lit | https://lit.dev/docs/
frontend | threejs | Three.js | threejs | npm:three | https://threejs.org/docs/
frontend | d3 | D3 | d3js, d3.js | npm:d3 | https://d3js.org/
frontend | mdn | MDN Web Docs | | | https://developer.mozilla.org/en-US/docs/Web
tools | vite | Vite | vitejs | npm:vite | https://vite.dev/guide/
tools | webpack | webpack | | npm:webpack | https://webpack.js.org/concepts/
tools | esbuild | esbuild | | npm:esbuild | https://esbuild.github.io/
tools | eslint | ESLint | | npm:eslint | https://eslint.org/docs/latest/
tools | biome | Biome | biomejs | npm:@biomejs/biome | https://biomejs.dev/guides/
tools | prettier | Prettier | | npm:prettier | https://prettier.io/docs/
tools | pnpm | pnpm | | npm:pnpm | https://pnpm.io/
tools | git | Git | | | https://git-scm.com/docs
tools | ffmpeg | FFmpeg | ffprobe | | https://ffmpeg.org/documentation.html
tools | uv | uv | astral uv | pypi:uv | https://docs.astral.sh/uv/
tools | ruff | Ruff | | pypi:ruff | https://docs.astral.sh/ruff/
testing | vitest | Vitest | | npm:vitest | https://vitest.dev/guide/
testing | jest | Jest | | npm:jest | https://jestjs.io/docs/getting-started
testing | playwright | Playwright | | npm:playwright, npm:@playwright/test, pypi:playwright | https://playwright.dev/docs/intro
testing | cypress | Cypress | | npm:cypress | https://docs.cypress.io/
testing | pytest | pytest | py.test | pypi:pytest | https://docs.pytest.org/en/stable/
testing | testing-library | Testing Library | react testing library, rtl | npm:@testing-library/react | https://testing-library.com/docs/
testing | selenium | Selenium | webdriver | pypi:selenium, npm:selenium-webdriver | https://www.selenium.dev/documentation/
languages | python | Python | py, cpython | | https://docs.python.org/3/
languages | typescript | TypeScript | ts | npm:typescript | https://www.typescriptlang.org/docs/
languages | nodejs | Node.js | node, nodejs | | https://nodejs.org/docs/latest/api/
languages | deno | Deno | | npm:deno | https://docs.deno.com/
languages | bun | Bun | | npm:bun | https://bun.com/docs
languages | rust | Rust | rustc, cargo | | https://doc.rust-lang.org/book/
languages | go | Go | golang | | https://go.dev/doc/
languages | ruby | Ruby | rb | | https://docs.ruby-lang.org/en/master/
languages | php | PHP | | | https://www.php.net/manual/en/
languages | kotlin | Kotlin | kt | | https://kotlinlang.org/docs/home.html
languages | swift | Swift | swiftlang | | https://docs.swift.org/swift-book/
languages | elixir | Elixir | | | https://hexdocs.pm/elixir/
languages | csharp | C# and .NET | dotnet, c#, csharp | | https://learn.microsoft.com/en-us/dotnet/csharp/
languages | java | Java | jdk, openjdk | | https://dev.java/learn/
languages | cpp | C++ | cpp, c++ | | https://en.cppreference.com/w/
languages | haskell | Haskell | ghc | | https://downloads.haskell.org/ghc/latest/docs/users_guide/
languages | zig | Zig | ziglang | | https://ziglang.org/documentation/master/
languages | bash | Bash | | | https://www.gnu.org/software/bash/manual/
backend | express | Express | expressjs, express.js | npm:express | https://expressjs.com/
backend | fastify | Fastify | | npm:fastify | https://fastify.dev/docs/latest/
backend | nestjs | NestJS | nest.js | npm:@nestjs/core | https://docs.nestjs.com/
backend | hono | Hono | honojs | npm:hono | https://hono.dev/docs/
backend | django | Django | | pypi:django | https://docs.djangoproject.com/en/stable/
backend | drf | Django REST framework | drf, restframework | pypi:djangorestframework | https://www.django-rest-framework.org/
backend | flask | Flask | | pypi:flask | https://flask.palletsprojects.com/en/stable/
backend | fastapi | FastAPI | | pypi:fastapi | https://fastapi.tiangolo.com/
backend | starlette | Starlette | | pypi:starlette | https://www.starlette.io/
backend | pydantic | Pydantic | | pypi:pydantic | https://docs.pydantic.dev/latest/
backend | requests | Requests | python requests | pypi:requests | https://requests.readthedocs.io/en/latest/
backend | httpx | HTTPX | | pypi:httpx | https://www.python-httpx.org/
backend | celery | Celery | | pypi:celery | https://docs.celeryq.dev/en/stable/
backend | rails | Ruby on Rails | rails, ror | rubygems:rails | https://guides.rubyonrails.org/
backend | laravel | Laravel | | packagist:laravel/framework | https://laravel.com/docs
backend | symfony | Symfony | | packagist:symfony/symfony | https://symfony.com/doc/current/
backend | spring-boot | Spring Boot | | | https://docs.spring.io/spring-boot/
backend | quarkus | Quarkus | | | https://quarkus.io/guides/
backend | aspnet | ASP.NET Core | aspnet, asp.net | | https://learn.microsoft.com/en-us/aspnet/core/
backend | phoenix | Phoenix | phoenix framework, liveview | | https://hexdocs.pm/phoenix/
backend | axum | axum | | crates:axum | https://docs.rs/axum/latest/axum/
backend | tokio | Tokio | | crates:tokio | https://tokio.rs/tokio/tutorial
backend | serde | Serde | | crates:serde | https://serde.rs/
backend | actix | Actix Web | actix | crates:actix-web | https://actix.rs/docs/
backend | gin | Gin | gin-gonic | go:github.com/gin-gonic/gin | https://gin-gonic.com/en/docs/
backend | graphql | GraphQL | | npm:graphql | https://graphql.org/learn/
backend | grpc | gRPC | protobuf | | https://grpc.io/docs/
backend | trpc | tRPC | | npm:@trpc/server | https://trpc.io/docs
backend | zod | Zod | | npm:zod | https://zod.dev/
data | postgresql | PostgreSQL | postgres, psql, pg | | https://www.postgresql.org/docs/current/
data | sqlite | SQLite | sqlite3 | | https://www.sqlite.org/docs.html
data | mysql | MySQL | | | https://dev.mysql.com/doc/refman/8.4/en/
data | mongodb | MongoDB | mongo | npm:mongodb, pypi:pymongo | https://www.mongodb.com/docs/manual/
data | redis | Redis | | npm:redis, pypi:redis | https://redis.io/docs/latest/
data | elasticsearch | Elasticsearch | | | https://www.elastic.co/docs/
data | clickhouse | ClickHouse | | | https://clickhouse.com/docs
data | duckdb | DuckDB | | pypi:duckdb, npm:@duckdb/node-api | https://duckdb.org/docs/stable/
data | prisma | Prisma | | npm:prisma, npm:@prisma/client | https://www.prisma.io/docs
data | drizzle | Drizzle ORM | drizzle | npm:drizzle-orm | https://orm.drizzle.team/docs/overview
data | kysely | Kysely | | npm:kysely | https://kysely.dev/docs/intro
data | sqlalchemy | SQLAlchemy | | pypi:sqlalchemy | https://docs.sqlalchemy.org/en/20/
data | supabase | Supabase | | npm:@supabase/supabase-js | https://supabase.com/docs
data | kafka | Apache Kafka | kafka | | https://kafka.apache.org/documentation/
data | spark | Apache Spark | pyspark | pypi:pyspark | https://spark.apache.org/docs/latest/
data | airflow | Apache Airflow | airflow | pypi:apache-airflow | https://airflow.apache.org/docs/apache-airflow/stable/
data | dbt | dbt | data build tool | pypi:dbt-core | https://docs.getdbt.com/docs/introduction
data | turbopuffer | turbopuffer | | npm:@turbopuffer/turbopuffer | https://turbopuffer.com/docs
ai | numpy | NumPy | np | pypi:numpy | https://numpy.org/doc/stable/
ai | pandas | pandas | pd | pypi:pandas | https://pandas.pydata.org/docs/
ai | polars | Polars | | pypi:polars, crates:polars | https://docs.pola.rs/
ai | scipy | SciPy | | pypi:scipy | https://docs.scipy.org/doc/scipy/
ai | matplotlib | Matplotlib | plt, pyplot | pypi:matplotlib | https://matplotlib.org/stable/
ai | scikit-learn | scikit-learn | sklearn | pypi:scikit-learn | https://scikit-learn.org/stable/
ai | pytorch | PyTorch | torch | pypi:torch | https://docs.pytorch.org/docs/stable/
ai | tensorflow | TensorFlow | tf | pypi:tensorflow | https://www.tensorflow.org/api_docs
ai | keras | Keras | | pypi:keras | https://keras.io/api/
ai | transformers | Hugging Face Transformers | huggingface | pypi:transformers | https://huggingface.co/docs/transformers/
ai | langchain | LangChain | langgraph | pypi:langchain, npm:langchain | https://docs.langchain.com/
ai | llamaindex | LlamaIndex | llama-index | pypi:llama-index | https://docs.llamaindex.ai/en/stable/
ai | openai | OpenAI API | openai | pypi:openai, npm:openai | https://platform.openai.com/docs/
ai | anthropic | Claude API | anthropic | pypi:anthropic, npm:@anthropic-ai/sdk | https://platform.claude.com/docs/
ai | ai-sdk | AI SDK | vercel ai sdk | npm:ai | https://ai-sdk.dev/docs
ai | mcp | Model Context Protocol | mcp | npm:@modelcontextprotocol/sdk, pypi:mcp | https://modelcontextprotocol.io/
ai | opencv | OpenCV | cv2 | pypi:opencv-python | https://docs.opencv.org/4.x/
ai | streamlit | Streamlit | | pypi:streamlit | https://docs.streamlit.io/
ai | jupyter | Jupyter | jupyterlab | pypi:jupyterlab | https://jupyterlab.readthedocs.io/en/stable/
cloud | docker | Docker | dockerfile, docker compose | | https://docs.docker.com/
cloud | kubernetes | Kubernetes | k8s, kubectl | | https://kubernetes.io/docs/
cloud | helm | Helm | helm charts | | https://helm.sh/docs/
cloud | terraform | Terraform | hcl | | https://developer.hashicorp.com/terraform/docs
cloud | opentofu | OpenTofu | | | https://opentofu.org/docs/
cloud | ansible | Ansible | | pypi:ansible | https://docs.ansible.com/ansible/latest/
cloud | github-actions | GitHub Actions | github workflows | | https://docs.github.com/en/actions
cloud | gitlab-ci | GitLab CI/CD | gitlab ci | | https://docs.gitlab.com/ci/
cloud | aws-cdk | AWS CDK | cdk | npm:aws-cdk-lib | https://docs.aws.amazon.com/cdk/v2/guide/
cloud | boto3 | Boto3 | aws sdk python | pypi:boto3 | https://boto3.amazonaws.com/v1/documentation/api/latest/
cloud | cloudflare-workers | Cloudflare Workers | wrangler | npm:wrangler | https://developers.cloudflare.com/workers/
cloud | vercel | Vercel | | npm:vercel | https://vercel.com/docs
cloud | nginx | nginx | | | https://nginx.org/en/docs/
cloud | caddy | Caddy | caddyfile | | https://caddyserver.com/docs/
cloud | prometheus | Prometheus | promql | | https://prometheus.io/docs/
cloud | grafana | Grafana | | | https://grafana.com/docs/grafana/latest/
cloud | opentelemetry | OpenTelemetry | otel | npm:@opentelemetry/api, pypi:opentelemetry-api | https://opentelemetry.io/docs/
services | stripe | Stripe | | npm:stripe, pypi:stripe | https://docs.stripe.com/
services | twilio | Twilio | | npm:twilio, pypi:twilio | https://www.twilio.com/docs
services | auth0 | Auth0 | | npm:auth0 | https://auth0.com/docs
services | firebase | Firebase | firestore | npm:firebase | https://firebase.google.com/docs
services | sentry | Sentry | | npm:@sentry/node, pypi:sentry-sdk | https://docs.sentry.io/
services | rime | Rime | rime tts | | https://docs.rime.ai/
mobile | react-native | React Native | | npm:react-native | https://reactnative.dev/docs/getting-started
mobile | expo | Expo | | npm:expo | https://docs.expo.dev/
mobile | flutter | Flutter | dart | | https://docs.flutter.dev/
mobile | electron | Electron | electronjs | npm:electron | https://www.electronjs.org/docs/latest/
mobile | tauri | Tauri | | npm:@tauri-apps/api, crates:tauri | https://tauri.app/start/
mobile | android | Android | jetpack compose | | https://developer.android.com/develop
mobile | swiftui | SwiftUI | | | https://developer.apple.com/documentation/swiftui
mobile | unity | Unity | unity3d | | https://docs.unity3d.com/Manual/
mobile | godot | Godot | gdscript | | https://docs.godotengine.org/en/stable/
`;

/** Well-known libraries and the addresses of their official documentation. */
export const catalog: readonly CatalogLibrary[] = rows
  .trim()
  .split('\n')
  .map((row) => {
    const [topic = '', id = '', name = '', aliases = '', packages = '', docs = ''] = row
      .split('|')
      .map((part) => part.trim());
    return { topic: topic as CatalogTopic, id, name, aliases: listOf(aliases), packages: listOf(packages), docs };
  });

/** Interleaves the topics, so that the first cards cover all of them. */
const inTurns: readonly CatalogLibrary[] = catalog
  .map((library, place) => ({
    library,
    turn: catalog.slice(0, place).filter(({ topic }) => topic === library.topic).length,
  }))
  .sort((a, b) => a.turn - b.turn)
  .map(({ library }) => library);

/**
 * Returns the libraries whose name, alias or package contains the words, prefix matches first; all of them for no
 * words.
 */
export function findInCatalog(words: string): readonly CatalogLibrary[] {
  const wanted = words.trim().toLowerCase();
  if (wanted === '') return inTurns;
  const namesOf = ({ name, aliases, packages }: CatalogLibrary) => [name.toLowerCase(), ...aliases, ...packages];
  const found = catalog.filter((library) => namesOf(library).some((name) => name.includes(wanted)));
  const isStart = (library: CatalogLibrary) => namesOf(library).some((name) => name.startsWith(wanted));
  return [...found.filter(isStart), ...found.filter((library) => !isStart(library))];
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(',').map((part) => part.trim());
}
