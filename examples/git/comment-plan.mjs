// Comments a plan on a pull request (GitHub) or a merge request (GitLab), or updates its comment.
// Run: node comment-plan.mjs FILE EXIT_CODE
import { readFileSync } from 'node:fs';

const MARKER = '<!-- namewright plan -->';
const HEADINGS = { 0: 'This changes nothing', 2: 'This changes domains or records' };
const PAGE = 100;
/** Characters; GitHub takes 65,536. */
const LIMIT = 60_000;

const [file, exitCode] = process.argv.slice(2);
const { env } = process;

function github() {
  const repository = `${env.GITHUB_API_URL}/repos/${env.GITHUB_REPOSITORY}/issues`;
  return {
    comments: `${repository}/${env.PULL_REQUEST}/comments`,
    comment: (id) => `${repository}/comments/${id}`,
    update: 'PATCH',
    headers: { Accept: 'application/vnd.github+json', Authorization: `Bearer ${env.GITHUB_TOKEN}` },
    isOwn: ({ user }) => user?.login === 'github-actions[bot]',
  };
}

async function gitlab() {
  const comments = `${env.CI_API_V4_URL}/projects/${env.CI_PROJECT_ID}/merge_requests/${env.CI_MERGE_REQUEST_IID}/notes`;
  const headers = { 'PRIVATE-TOKEN': env.COMMENT_TOKEN };
  const own = await send('GET', `${env.CI_API_V4_URL}/user`, headers);
  return {
    comments,
    comment: (id) => `${comments}/${id}`,
    update: 'PUT',
    headers,
    isOwn: ({ author }) => author.id === own.id,
  };
}

async function send(method, url, headers, body) {
  const response = await fetch(url, {
    method,
    headers: { ...headers, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The comment of an earlier run, not one that others wrote to look like it. */
async function earlierComment({ comments, headers, isOwn }) {
  for (let page = 1; ; page += 1) {
    const found = await send('GET', `${comments}?per_page=${PAGE}&page=${page}`, headers);
    const comment = found.find((each) => isOwn(each) && each.body.startsWith(MARKER));
    if (comment || found.length < PAGE) return comment;
  }
}

/** Each line is indented: a code block that no record can end. */
function markdown(plan) {
  const heading = HEADINGS[exitCode] ?? 'There is no plan';
  const lines = plan.trimEnd().replaceAll(/^/gm, '    ');
  const shown = lines.length > LIMIT ? `${lines.slice(0, LIMIT)}\n\nThe log of the job has the rest.` : lines;
  return `${MARKER}\n**Namewright: ${heading}**\n\n${shown}\n`;
}

const host = env.GITLAB_CI ? await gitlab() : github();
const body = markdown(readFileSync(file, 'utf8'));
const comment = await earlierComment(host);
if (comment) await send(host.update, host.comment(comment.id), host.headers, { body });
else if (exitCode !== '0') await send('POST', host.comments, host.headers, { body });
